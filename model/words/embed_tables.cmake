# Writes OUT, a C++ file that holds the tables of ROOT/*.tsv as text: cmake -DROOT=… -DOUT=… -P embed_tables.cmake
# A literal is cut every few lines, for compilers limit how long one may be.
set(code "// Written by embed_tables.cmake from resources/ask; do not edit.\n#include \"model/words/tables.h\"\n\n")
string(APPEND code "namespace headroom::ask {\n\nstd::string_view tableCalled(std::string_view name)\n{\n")
foreach(table words roles rules asides names sentences)
    file(READ ${ROOT}/${table}.tsv text)
    string(REPLACE "\n" "\n)table\"\n    R\"table(" text "${text}")
    string(APPEND code "    if (name == \"${table}\")\n        return R\"table(${text})table\";\n")
endforeach()
string(APPEND code "    throw std::logic_error(\"no such table: \" + std::string(name));\n}\n")
string(APPEND code "\n} // namespace headroom::ask\n")
file(WRITE ${OUT} "${code}")
