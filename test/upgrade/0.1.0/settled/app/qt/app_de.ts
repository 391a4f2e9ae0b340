<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>MainWindow</name>
    <message>
        <source>&amp;File &apos;%1&apos;</source>
        <extracomment>A menu</extracomment>
        <translation type="unfinished">[de &amp;Ƒīŀḗ &apos;%1&apos; ~~~~]</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation type="unfinished">
            <numerusform>[de %n ƒīŀḗ(ş) ~~]</numerusform>
            <numerusform>[de %n ƒīŀḗ(ş) ~~]</numerusform>
        </translation>
    </message>
</context>
</TS>
