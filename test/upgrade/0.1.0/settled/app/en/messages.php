<?php

return [
    'title' => 'It\'s a title',
    'menu' => ['open' => 'Open :name', 'close' => 'Close'],
];
