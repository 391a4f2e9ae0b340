<?php

return [
    'title' => '[pl Īŧ\'ş ȧ ŧīŧŀḗ ~~]',
    'menu' => ['open' => '[pl Ǿƥḗƞ ~] :name', 'close' => '[pl Ƈŀǿşḗ ~]'],
];
