<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.2" name="ground &amp; co" class="Terrain" tilewidth="16" tileheight="16" spacing="1" margin="1" tilecount="4" columns="2" objectalignment="topleft">
 <editorsettings>
  <export target="t.json" format="json"/>
 </editorsettings>
 <tileoffset x="0" y="0"/>
 <grid orientation="orthogonal" width="16" height="16"/>
 <properties>
  <property name="solid" value="whatever"/>
 </properties>
 <transformations hflip="1" vflip="1" rotate="1" preferuntransformed="0"/>
 <image source="t.png" trans="ff00ff" width="35" height="35"/>
 <terraintypes>
  <terrain name="Grass" tile="0"><properties><property name="a" value="b"/></properties></terrain>
 </terraintypes>
 <tile id="0" type="Wall" terrain="0,0,,0" probability="0.5">
  <properties>
   <property name="cls" type="class" propertytype="Foo">
    <properties>
     <property name="solid" type="bool" value="false"/>
     <property name="material" value="text"/>
    </properties>
   </property>
   <property name="material" type="int" value="3"/>
   <property name="note">several
lines</property>
   <property name="tint" type="color" value="#ff112233"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="0" width="16" height="16"/>
  </objectgroup>
  <animation>
   <frame tileid="0" duration="100"/>
   <frame tileid="1" duration="100"/>
  </animation>
 </tile>
 <tile id="1" class="Slope">
  <objectgroup draworder="index" id="2">
   <properties><property name="x" type="float" value="1e-05"/></properties>
   <object id="1" name="s" type="Slope" x="0" y="16">
    <properties><property name="solid" type="bool" value="true"/></properties>
    <polygon points="0,0 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="2">
  <objectgroup draworder="index">
   <object id="3" x="0" y="8" width="16" height="8" visible="0"/>
   <object id="4" x="3" y="3"><point/></object>
   <object id="5" x="3" y="3" width="8" height="9"><text wrap="1" fontfamily="Sans">hi</text></object>
   <object id="6" x="3" y="3"><polyline points="0,0 4,4.5"/></object>
   <object id="7" x="3" y="3" width="4" height="8"><capsule/></object>
  </objectgroup>
 </tile>
 <wangsets>
  <wangset name="w" class="k" type="corner" tile="-1">
   <wangcolor name="" color="#ff0000" tile="-1" probability="1"/>
   <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
  </wangset>
 </wangsets>
</tileset>
