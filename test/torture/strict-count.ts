/** The laws at the end of a torture run: the bill, every target, every text of a person, and no remains of temporary files. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { isTemporary } from '../../src/files/temporary.ts';
import { officeTexts } from '../../src/lanes/document/office-text.ts';
import { UPLOAD } from '../lanes/voice/voice-rig.ts';
import { Broken, Installation, type Usage } from './installation.ts';
import { RECORDING_SECONDS, type Tree } from './tree.ts';

/** Runs until everything is there; what failed or waits by a fault is let go again, as a person does it. */
const LAST_RUNS = 8;
const TARGETS = /^(?:locales|docs|films|out|heard)\//;

/** @throws Broken with all that is wrong */
export async function countStrictly(installation: Installation, tree: Tree): Promise<string> {
  installation.rig.sandbox.faults.clear();
  installation.healDisks();
  await finish(installation);
  const { usage, wrong } = await moneyOf(installation);
  wrong.push(...(await wrongTargets(installation, tree)));
  wrong.push(...lostWords(installation, tree), ...litter(installation.rig.root));
  if (wrong.length > 0) throw new Broken(wrong.join('\n'));
  const { billed_characters, possibly_billed_twice, voice_seconds } = usage;
  return `${billed_characters} characters in the books, ${possibly_billed_twice} possibly billed twice, ${voice_seconds} s of voice`;
}

async function finish(installation: Installation): Promise<void> {
  let last = '';
  for (let run = 0; run < LAST_RUNS; run++) {
    const { code, held, failed, delivered } = await installation.once();
    if (code === 0 && delivered === 0) return;
    last = `once: ${code}, ${JSON.stringify([...held, ...failed])}`;
    const gone = held.filter(({ source }) => !installation.rig.exists(source));
    // A paid result of a deleted source waits until a person forgets it: it cannot be tried again.
    for (const { source } of gone) await installation.run('resolve', source, '--human');
    if (code !== 0) await installation.run('retry', '--all', '--yes');
  }
  throw new Broken(`after ${LAST_RUNS} runs and retries not everything is there: ${last}`);
}

/** Between two sums of the books: without and with characters that were possibly billed twice. */
async function moneyOf(installation: Installation) {
  const usage = await installation.json<Usage>('usage');
  const { billed_characters: books, possibly_billed_twice: twice, voice_seconds } = usage;
  const billed = installation.rig.sandbox.counters().billed_characters;
  const wrong: string[] = [];
  if (billed < books || billed > books + twice) {
    wrong.push(`the service billed ${billed}, the books say ${books} and ${twice} possibly twice`);
  }
  const uploaded = installation.answered(UPLOAD, 204) * RECORDING_SECONDS;
  if (uploaded > voice_seconds) {
    wrong.push(`the service took ${uploaded} s of voice, the books say ${voice_seconds}`);
  }
  return { usage, wrong };
}

/** A new installation with the same sources says what is right. */
async function wrongTargets({ rig }: Installation, tree: Tree): Promise<string[]> {
  await using fresh = await Installation.open();
  for (const [path, { content }] of tree.files) fresh.rig.write(path, content);
  await finish(fresh);
  const wanted = targetsIn(fresh.rig.root);
  const found = targetsIn(rig.root);
  const wrong = [...found.keys()]
    .filter((path) => !wanted.has(path))
    .map((path) => `${path} is there and should not be`);
  for (const [path, expected] of wanted) {
    const bytes = found.get(path);
    if (bytes === undefined) wrong.push(`${path} is missing`);
    else if (!isSame(path, withCorrections(path, { expected, found: bytes }, tree), bytes)) {
      wrong.push(`${path} is not right`);
    }
  }
  return wrong;
}

function targetsIn(root: string): Map<string, Buffer> {
  const paths = filesUnder(root).filter((path) => TARGETS.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path))]));
}

/**
 * The words of a person instead of ours. A new file may have those of a deleted one, where key and text are the same: the text moved there.
 */
function withCorrections(
  path: string,
  { expected, found }: { readonly expected: Buffer; readonly found: Buffer },
  { corrections }: Tree,
): Buffer {
  if (!path.startsWith('locales/')) return expected;
  const texts = JSON.parse(expected.toString()) as Record<string, string>;
  const present = JSON.parse(found.toString()) as Record<string, string>;
  for (const { source, target, key, text } of corrections) {
    const isLeft = source === undefined && languageOf(target) === languageOf(path);
    if (isLeft && present[key] === text) texts[key] = text;
  }
  for (const { source, target, key, text } of corrections) {
    if (movedTarget(source, target) === path) texts[key] = text;
  }
  return Buffer.from(JSON.stringify(texts));
}

function languageOf(target: string): string {
  return target.split('/')[1] ?? '';
}

function movedTarget(source: string | undefined, target: string): string | undefined {
  return source?.replace('/en/', `/${languageOf(target)}/`);
}

/** Archives by their words, and entries without their order: an old target keeps its own. */
function isSame(path: string, expected: Buffer, found: Buffer): boolean {
  const extension = extname(path).slice(1);
  return wordsOf(extension, expected) === wordsOf(extension, found);
}

function wordsOf(extension: string, bytes: Buffer): string {
  if (extension === 'docx') {
    return officeTexts(bytes, { extension, file: 'target' }).join('\n');
  }
  if (extension !== 'json') return bytes.toString();
  const entries = Object.entries(JSON.parse(bytes.toString()) as Record<string, string>);
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** If the source is gone, the target is in the trash: its words still exist. */
function lostWords({ rig }: Installation, { corrections }: Tree): string[] {
  const gone = corrections.filter(({ source }) => source === undefined);
  if (gone.length === 0) return [];
  const everything = filesUnder(rig.root).map((path) => readFileSync(join(rig.root, path)));
  return gone
    .filter(({ text }) => !everything.some((bytes) => bytes.includes(text)))
    .map(({ target, text }) => `"${text}", written into ${target}, is lost`);
}

function litter(root: string): string[] {
  return filesUnder(root)
    .filter((path) => isTemporary(path.slice(path.lastIndexOf('/') + 1)))
    .map((path) => `${path} was left behind`);
}

function filesUnder(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(root, name), { throwIfNoEntry: false })?.isFile() === true)
    .map((name) => relative('.', name))
    .sort();
}
