-brand = [pl Ḓřȧɠǿƞ ~]
hello = [pl Ħḗŀŀǿ { $name }! ~~~]
    .title = [pl Ȧ ŧīŧŀḗ ~~]
boats = [pl Ẏǿŭ ħȧṽḗ ~~] { $count ->
    [one] { $count } [pl ƀǿȧŧ ~]
    [few] { $count } [pl ƀǿȧŧş ~]
    [many] { $count } [pl ƀǿȧŧş ~]
   *[other] { $count } [pl ƀǿȧŧş ~]
} [pl ħḗřḗ. ~]
