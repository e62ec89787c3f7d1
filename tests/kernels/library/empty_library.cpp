// A library of the right name without any of its functions.
extern "C" int standInWithoutFunctions();
int standInWithoutFunctions() { return 0; }
