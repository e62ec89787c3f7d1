<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>headroom::app</name>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s) more</source>
        <translation>
            <numerusform>%n GPU more</numerusform>
            <numerusform>%n GPUs more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s) fewer</source>
        <translation>
            <numerusform>%n GPU fewer</numerusform>
            <numerusform>%n GPUs fewer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n point(s) surer</source>
        <translation>
            <numerusform>%n point surer</numerusform>
            <numerusform>%n points surer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n point(s) less sure</source>
        <translation>
            <numerusform>%n point less sure</numerusform>
            <numerusform>%n points less sure</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n user(s)</source>
        <translation>
            <numerusform>%n user</numerusform>
            <numerusform>%n users</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::AnswerHeader</name>
    <message numerus="yes">
        <source>%n assumption(s)</source>
        <translation>
            <numerusform>%n assumption</numerusform>
            <numerusform>%n assumptions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) to keep in mind</source>
        <translation>
            <numerusform>%n thing to keep in mind</numerusform>
            <numerusform>%n things to keep in mind</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::CalibrateView</name>
    <message numerus="yes">
        <source>%n gate(s) failed</source>
        <translation>
            <numerusform>%n gate failed</numerusform>
            <numerusform>%n gates failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::Chart</name>
    <message numerus="yes">
        <source>Chart of %1 over %2: %3; %n point(s)</source>
        <translation>
            <numerusform>Chart of %1 over %2: %3; %n point</numerusform>
            <numerusform>Chart of %1 over %2: %3; %n points</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::CompareView</name>
    <message numerus="yes">
        <source>Compared with %n GPU(s)</source>
        <translation>
            <numerusform>Compared with %n GPU</numerusform>
            <numerusform>Compared with %n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::MainWindow</name>
    <message numerus="yes">
        <source>%n layout(s) compared</source>
        <translation>
            <numerusform>%n layout compared</numerusform>
            <numerusform>%n layouts compared</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::Report</name>
    <message numerus="yes">
        <source>%n replica(s) may fail</source>
        <translation>
            <numerusform>%n replica may fail</numerusform>
            <numerusform>%n replicas may fail</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more under “Assumptions”</source>
        <translation>
            <numerusform>%n more under “Assumptions”</numerusform>
            <numerusform>%n more under “Assumptions”</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n candidate(s) were found; the best layout of each purchase is shown that none beats in everything, the first in bold.</source>
        <translation>
            <numerusform>%n candidate was found.</numerusform>
            <numerusform>%n candidates were found; the best layout of each purchase is shown that none beats in everything, the first in bold.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 with %n GPU(s) each</source>
        <translation>
            <numerusform>%1 with %n GPU each</numerusform>
            <numerusform>%1 with %n GPUs each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n year(s)</source>
        <translation>
            <numerusform>%n year</numerusform>
            <numerusform>%n years</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In %n month(s)</source>
        <translation>
            <numerusform>In %n month</numerusform>
            <numerusform>In %n months</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Buying has cost less than renting after %n month(s).</source>
        <translation>
            <numerusform>Buying has cost less than renting after %n month.</numerusform>
            <numerusform>Buying has cost less than renting after %n months.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n month(s)</source>
        <translation>
            <numerusform>%n month</numerusform>
            <numerusform>%n months</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::TablePanel</name>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n row(s)</source>
        <translation>
            <numerusform>%1 of %n row</numerusform>
            <numerusform>%1 of %n rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::Workspace</name>
    <message numerus="yes">
        <source>%n document(s) with unsaved changes were recovered</source>
        <translation>
            <numerusform>%n document with unsaved changes was recovered</numerusform>
            <numerusform>%n documents with unsaved changes were recovered</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>headroom::app::ProbeView</name>
    <message numerus="yes">
        <source>%n user(s): %1 of %2 requests answered</source>
        <translation>
            <numerusform>%n user: %1 of %2 requests answered</numerusform>
            <numerusform>%n users: %1 of %2 requests answered</numerusform>
        </translation>
    </message>
</context>
</TS>
