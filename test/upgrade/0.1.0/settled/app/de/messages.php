<?php

return [
    'title' => '[de Īŧ\'ş ȧ ŧīŧŀḗ ~~]',
    'menu' => ['open' => '[de Ǿƥḗƞ ~] :name', 'close' => '[de Ƈŀǿşḗ ~]'],
];
