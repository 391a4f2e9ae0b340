-brand = [de Ḓřȧɠǿƞ ~]
hello = [de Ħḗŀŀǿ { $name }! ~~~]
    .title = [de Ȧ ŧīŧŀḗ ~~]
boats = [de Ẏǿŭ ħȧṽḗ ~~] { $count ->
    [one] { $count } [de ƀǿȧŧ ~]
   *[other] { $count } [de ƀǿȧŧş ~]
} [de ħḗřḗ. ~]
