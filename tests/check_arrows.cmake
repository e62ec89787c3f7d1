# cmake -DROOT=<source dir> -P check_arrows.cmake: fails when a room includes what it must not know.
cmake_minimum_required(VERSION 3.25)
set(may_include_model   model)
set(may_include_kernels model kernels)
set(may_include_calib   model kernels calib)
set(may_include_app     model calib app)

# The rooms of model/, bottom up: a room includes only rooms that stand before it, and only those named here.
set(model_rooms base text measured catalogue efficiency deploy scenario count memory cost closed_form serve yaml import
    resolve search ranges advise launch words ask report json)
set(things      base catalogue)
set(physics     ${things} efficiency deploy count memory cost closed_form)
set(model_base)
set(model_text        base)
set(model_measured    base)
set(model_catalogue   base)
set(model_efficiency  ${things})
set(model_deploy      ${things} efficiency)
set(model_scenario    base deploy)
set(model_count       ${things} deploy)
set(model_memory      ${things} deploy count)
set(model_cost        ${things} efficiency deploy count)
set(model_closed_form ${things} efficiency deploy scenario count memory cost)
set(model_serve       base deploy scenario memory cost closed_form)
set(model_yaml        ${things} text efficiency scenario count)
set(model_import      ${things} text measured scenario count)
set(model_resolve     ${physics} scenario serve yaml)
set(model_search      ${physics} scenario serve yaml resolve)
set(model_ranges      ${physics} measured scenario serve search)
set(model_advise      ${model_search} search measured ranges)
set(model_launch      base count memory closed_form resolve search)
set(model_words       ${things} text yaml)
set(model_ask         base scenario words)
set(model_report      ${physics} text measured scenario serve resolve search ranges advise words ask)
set(model_json        ${model_report} import launch report)
set(allowed)
foreach(room IN LISTS model_rooms)
    foreach(other IN LISTS model_${room})
        if(NOT other IN_LIST allowed)
            message(SEND_ERROR "the table lets model/${room} include model/${other}, which stands above it")
        endif()
    endforeach()
    list(APPEND allowed ${room})
endforeach()

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
    "<curl/"        "^app/probe/"
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
        if(room STREQUAL "model" AND line MATCHES "^#include \"model/([a-z_]+)/")
            set(to ${CMAKE_MATCH_1})
            string(REGEX REPLACE "^model/([a-z_]+)/.*" "\\1" from "${file}")
            if(NOT from IN_LIST model_rooms)
                message(SEND_ERROR "${file}: model/${from} is no room: add it to the table in this file")
            elseif(NOT to STREQUAL from AND NOT to IN_LIST model_${from})
                message(SEND_ERROR "${file}: model/${from} may not include model/${to}")
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
