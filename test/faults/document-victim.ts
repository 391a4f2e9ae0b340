/** The real command line, killed (SIGKILL, by itself) at one point of a document's way: `node document-victim.ts POINT ARGS…`. */
import type { PathLike } from 'node:fs';

// Not imported: a bundle takes what it uses of a built-in module when its first part is loaded, which would be before the patches.
const fs = process.getBuiltinModule('node:fs');
const { syncBuiltinESMExports } = process.getBuiltinModule('node:module');

const [point = '', ...args] = process.argv.slice(2);

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

// Renames are patched before anything imports them: targets are renamed at once, downloads by way of a thread.
const { renameSync } = fs;
const { rename } = fs.promises;

function reach(moment: 'before' | 'after', to: PathLike): void {
  const path = String(to);
  const isTarget = path.includes('/out/') && !path.endsWith('.tmp');
  if (isTarget && point === `${moment} the target is replaced`) die();
  if (path.endsWith('.result') && point === `${moment} the download has its name`) die();
}

fs.renameSync = (from, to) => {
  reach('before', to);
  renameSync(from, to);
  reach('after', to);
};
fs.promises.rename = async (from, to) => {
  reach('before', to);
  await rename(from, to);
  reach('after', to);
};
syncBuiltinESMExports();

const { PartFile } = await import('../../src/files/spool-folder.ts');
const { Purchases } = await import('../../src/state/document-purchases.ts');

const put = Purchases.prototype.put;
Purchases.prototype.put = async function (purchase, ...rest) {
  const { kind } = purchase.stage;
  const isHead = kind === 'downloading' && purchase.stage.length !== undefined;
  const stage = isHead ? 'head' : kind;
  if (point === `before ${stage}`) die();
  const written = await put.call(this, purchase, ...rest);
  if (point === `after ${stage}`) die();
  return written;
};

const write = PartFile.prototype.write;
PartFile.prototype.write = async function (chunk) {
  // Half of the received bytes, so that the file is cut.
  if (point === 'amid the download') {
    await write.call(this, chunk.subarray(0, Math.ceil(chunk.length / 2)));
    die();
  }
  await write.call(this, chunk);
};

const { runCommandLine } = await import('../../src/cli/run-command-line.ts');
process.exitCode = await runCommandLine(args);
