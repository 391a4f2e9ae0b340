/** Runs commands one after the other in this process, and prints what each ended with. It has a user of its own. */
import { type Printed, runHere } from './run-here.ts';

const commands = JSON.parse(process.argv[2] ?? '[]') as readonly (readonly string[])[];
const ended: Printed[] = [];
for (const argv of commands) {
  ended.push(await runHere(argv, { cwd: process.cwd(), env: process.env }));
}
process.stdout.write(JSON.stringify(ended));
