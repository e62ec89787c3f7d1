#include "kernels/device.h"

namespace headroom::kernels {

// A build without the CUDA toolkit has the same door, and says why it is shut.
Result<std::unique_ptr<Device>> makeCudaDevice(int)
{
    return refuse("--device", "no CUDA device: this program was built without CUDA",
                  "use --device cpu, or install a build with the CUDA device");
}

int cudaDeviceCount() { return 0; }

} // namespace headroom::kernels
