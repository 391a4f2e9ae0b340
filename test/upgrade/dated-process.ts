/** Loaded before the command line (`node --import`): its clock stands at TEST_NOW, in milliseconds since the epoch, when it starts. */
const now = Date.now.bind(Date);
const ahead = Number(process.env['TEST_NOW']) - now();
Date.now = () => now() + ahead;

export {};
