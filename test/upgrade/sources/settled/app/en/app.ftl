-brand = Dragon
hello = Hello { $name }!
    .title = A title
boats = You have { $count ->
    [one] { $count } boat
   *[other] { $count } boats
} here.
