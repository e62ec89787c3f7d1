# cmake -DROOT=<source dir> -P check_arrows.cmake: fails when a room includes what it must not know.
cmake_minimum_required(VERSION 3.25)
set(may_include_model   model)
set(may_include_kernels model kernels)
set(may_include_calib   model kernels calib)
set(may_include_app     model calib app)

file(GLOB_RECURSE files RELATIVE ${ROOT}
    ${ROOT}/model/*.h ${ROOT}/model/*.cpp ${ROOT}/kernels/*.h ${ROOT}/kernels/*.cpp ${ROOT}/kernels/*.cu
    ${ROOT}/kernels/*.cuh ${ROOT}/calib/*.h ${ROOT}/calib/*.cpp ${ROOT}/app/*.h ${ROOT}/app/*.cpp)

# Library headers and the only rooms that may name them.
set(libraries
    "<yaml-cpp/"    "^model/yaml/"
    "<nlohmann/"    "^model/json/"
    "<cuda|<cublas|<nccl|<mma|<nvml" "^kernels/cuda/"
    "<Q[A-Z]"       "^app/(desktop|report)/"
    "<qcustomplot"  "^app/desktop/charts/"
    "<CLI/"         "^app/cli/"
    "<Eigen/"       "^(calib/fit|kernels/cpu)/")

foreach(file IN LISTS files)
    string(REGEX REPLACE "^([a-z_]+)/.*" "\\1" room "${file}")
    file(STRINGS ${ROOT}/${file} includes REGEX "^#include")
    foreach(line IN LISTS includes)
        if(line MATCHES "^#include \"([a-z_]+)/")
            if(NOT CMAKE_MATCH_1 IN_LIST may_include_${room})
                message(SEND_ERROR "${file}: ${room} may not include '${CMAKE_MATCH_1}': ${line}")
            endif()
        endif()
        set(rest ${libraries})
        while(rest)
            list(POP_FRONT rest pattern rooms)
            if(line MATCHES "^#include (${pattern})" AND NOT file MATCHES "${rooms}")
                message(SEND_ERROR "${file}: ${line} belongs only in ${rooms}")
            endif()
        endwhile()
    endforeach()
endforeach()
