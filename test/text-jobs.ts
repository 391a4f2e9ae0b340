/** Text jobs of one route in a temp folder, from the files to the files: real base and memory, answers that are made here. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Baselines, SegmentRecord } from '../src/baseline.ts';
import type { PlacedFinding } from '../src/cli/check/findings.ts';
import { readTarget } from '../src/cli/check/target-work.ts';
import { parseConfig } from '../src/config/parse.ts';
import { hashBytes } from '../src/files/disk.ts';
import { partsText } from '../src/format.ts';
import type { Hash, JobState } from '../src/job.ts';
import { jobId, targetList } from '../src/job.ts';
import { type LanguageTag, parseLanguage } from '../src/language.ts';
import { fingerprint, memoryKey, recipeFor } from '../src/plan/recipe.ts';
import type { Project, Route } from '../src/project.ts';
import { buildRouter } from '../src/routes/router.ts';
import { protect } from '../src/segments/inline/protect.ts';

import { restore } from '../src/segments/inline/restore.ts';
import type { TextAnswer } from '../src/segments/record-for.ts';
import { openBaselines } from '../src/state/baseline.ts';
import { FolderMemories } from '../src/state/memories/folder.ts';
import { openDraft } from '../src/translate/draft.ts';
import { firstSendForm } from '../src/translate/order.ts';
import type { OrderableText } from '../src/translate/orderable-text.ts';
import type { PersonsInstructions, TextCase } from '../src/translate/text-case.ts';
import { wantedFrom } from '../src/translate/text-orders.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Ran {
  /** The texts that were bought, as the file has them. */
  readonly bought: readonly string[];
  /** The same as the service gets them. */
  readonly sent: readonly string[];
  readonly state: JobState;
  /** The line of `plan` about the job. */
  readonly notes: readonly string[];
  /** Whether the target's bytes are others than before. */
  readonly isWritten: boolean;
}

const AT = '2026-01-01T00:00:00.000Z';

export class TextJobs {
  readonly #root: string;
  #project: Project;
  readonly #memories: FolderMemories;
  readonly #baselines: Baselines;
  readonly #wrote = new Map<string, Hash>();
  readonly #delivered = new Map<string, Hash>();
  /** The texts that the service does not answer well, as it gets them. */
  refused: RegExp | undefined;

  private constructor(root: string, project: Project) {
    this.#root = root;
    this.#project = project;
    this.#memories = new FolderMemories({ folder: join(root, '.state/memory') });
    this.#baselines = openBaselines(join(root, '.state/base'));
    onTestFinished(() => this.#baselines[Symbol.asyncDispose]());
  }

  /** @param route as in the config */
  static async of(
    route: string,
    files: Readonly<Record<string, string>> = {},
    targets = 'de, pl',
  ): Promise<TextJobs> {
    const root = await temporaryFolder();
    const jobs = new TextJobs(root, projectWith(root, { route, targets }));
    onTestFinished(() => jobs.#memories[Symbol.asyncDispose]());
    for (const [path, content] of Object.entries(files)) await jobs.write(path, content);
    return jobs;
  }

  /** Goes on with another route. */
  reroute(route: string): void {
    this.#project = projectWith(this.#root, { route, targets: 'de, pl' });
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    mkdirSync(dirname(join(this.#root, path)), { recursive: true });
    writeFileSync(join(this.#root, path), content);
  }

  async read(path: string): Promise<string> {
    return readFileSync(join(this.#root, path), 'utf8');
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.#root, path), { recursive: true });
  }

  /** Runs the job of a source in a language to its end. */
  async run(source: string, language = 'de', word: PersonsInstructions = {}): Promise<Ran> {
    const text = await this.#caseOf(source, language, word);
    using draft = await openDraft(text);
    const open: OrderableText[] = [];
    while (open.length < draft.facts.texts) open.push(...(await draft.texts(open.length)));
    const orders = open.map((each) => wantedFrom(text, each));
    const answers = orders.map((wanted): TextAnswer & { readonly sent: string } => {
      const sent = protect(wanted, firstSendForm(wanted));
      if (this.refused?.test(sent.text)) {
        return { kind: 'refused', problem: 'refused by this test', sent: sent.text };
      }
      const restored = restore(translated(sent.text), sent, text.job.language);
      const problem = 'problem' in restored ? restored.problem : wanted.check?.(restored.parts);
      return 'parts' in restored && problem === undefined
        ? { kind: 'translated', parts: restored.parts, sent: sent.text }
        : { kind: 'refused', problem: problem ?? '', sent: sent.text };
    });
    await text.memory.remember(
      orders.flatMap((wanted, index) => {
        const answer = answers[index];
        if (answer?.kind !== 'translated') return [];
        const recipe = memoryKey(wanted);
        return [{ recipe, source: wanted.parts, translation: answer.parts, request: '1', at: AT }];
      }),
    );
    await draft.answer(answers);
    const { content, state } = await draft.finish(AT);
    const before = draft.facts.target?.hash;
    if (content !== undefined) {
      await draft.prepare();
      await this.write(text.targetPath, content.bytes);
      this.#wrote.set(text.job.id, content.hash);
    }
    this.#delivered.set(text.job.id, draft.facts.source.hash);
    return {
      bought: open.map(({ parts }) => partsText(parts)),
      sent: answers.map(({ sent }) => sent),
      state,
      notes: draft.facts.notes,
      isWritten: content !== undefined && content.hash !== before,
    };
  }

  /** Composes the target with stand-ins for what is to be bought. */
  async rehearse(source: string, language = 'de'): Promise<void> {
    using draft = await openDraft(await this.#caseOf(source, language, {}));
    await draft.tryToCompose(AT);
  }

  /** Writes the records of an earlier run that saw and left the present target. */
  async remember(
    source: string,
    language: string,
    segments: readonly SegmentRecord[],
  ): Promise<void> {
    const text = await this.#caseOf(source, language, {});
    const targetHash = hashBytes(readFileSync(join(this.#root, text.targetPath)));
    const noted = { segments, targetHash, recipe: text.recipe.key, at: AT };
    await text.baseline.prepare(noted, null);
    this.#wrote.set(text.job.id, targetHash);
  }

  /** The findings of `check` about a target. */
  async inspect(source: string): Promise<readonly PlacedFinding[]> {
    const [project, language] = [this.#project, languageOf('de')];
    const { route, target } = this.#routeOf(source, language);
    const packed = { project, route, source, target, language };
    return await (await readTarget(packed))();
  }

  async #caseOf(source: string, code: string, word: PersonsInstructions): Promise<TextCase> {
    const language = languageOf(code);
    const project = this.#project;
    const recipe = recipeFor(project, language);
    const { route, target } = this.#routeOf(source, language);
    const id = jobId(project.name, language, source);
    const key = { project: project.name, language, path: source };
    const wrote = this.#wrote.get(id);
    const delivered = this.#delivered.get(id);
    return {
      job: {
        id,
        project: project.name,
        lane: 'text',
        source,
        language,
        targets: { file: target },
        fingerprint: fingerprint('' as Hash, recipe.key),
      },
      route,
      recipe,
      sourceLanguage: project.source === 'auto' ? undefined : project.source,
      root: this.#root,
      sourcePath: join(this.#root, source),
      targetPath: target,
      memory: await this.#memories.open(project.name, language),
      baseline: this.#baselines.of(key, wrote),
      wrote,
      ...(delivered === undefined ? {} : { deliveredSource: delivered }),
      projectTerms: {},
      instructions: word,
    };
  }

  #routeOf(source: string, language: LanguageTag): { route: Route; target: string } {
    const { router } = buildRouter({
      projects: [this.#project],
      state: join(this.#root, '.state'),
    });
    const claim = router?.match(this.#project.name, source);
    if (claim?.kind !== 'source') throw new Error(`${source} is ${claim?.kind}`);
    const [target = ''] = targetList(claim.targets(language));
    return { route: claim.route, target };
  }
}

function projectWith(
  root: string,
  { route, targets }: { route: string; targets: string },
): Project {
  const text = `version: 1
service: { url: "http://127.0.0.1:1" }
projects:
  app:
    source: en
    targets: [${targets}]
    routes: [${route}]
`;
  const { config, faults } = parseConfig(text, { file: join(root, 'dragoman.yaml'), env: {} });
  const [project] = config?.projects ?? [];
  if (project === undefined) throw new Error(JSON.stringify(faults));
  return project;
}

function languageOf(code: string): LanguageTag {
  const language = parseLanguage(code);
  if (language === undefined) throw new TypeError(code);
  return language;
}

/** A possible answer of the service: other words, the same tags. It must not change anything that is not a word. */
function translated(sent: string): string {
  return sent.replace(/<[^<>]*>|&\w+;|\p{L}+/gu, (found) =>
    /^[<&]/.test(found) ? found : `${found}ä`,
  );
}
