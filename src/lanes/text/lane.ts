/** The text lane: resource files and pages, segment by segment. Bytes outside of translated segments do not change. */
import { join } from 'node:path';
import type { Hold } from '../../job.ts';
import type { LaneWorker } from '../../lane.ts';
import type { LeftTexts } from '../../state/left-texts.ts';
import type { Draft } from '../../translate/draft.ts';
import type { Drafts } from '../../translate/drafts.ts';
import type { JobText } from '../../translate/order.ts';
import { RECALL_PORTION } from '../../translate/recall.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { wantedFrom } from '../../translate/text-orders.ts';
import { type ModelLaneOptions, modelLane } from '../model-lane.ts';
import type { ModelSource, TextModel } from '../text-model.ts';

export interface TextLaneOptions extends ModelLaneOptions {
  readonly drafts: Drafts;
  /** Gets the translations of people whose texts left a source. */
  readonly left: Pick<LeftTexts, 'keep'>;
}

export function textLane(options: TextLaneOptions): LaneWorker {
  return modelLane(options, resources(options));
}

/** Opens a draft of each file, on this thread or on a worker thread. */
function resources({ drafts, left }: TextLaneOptions): ModelSource {
  return {
    lane: 'text',
    async reserve(text, purpose) {
      const reserved = await drafts.reserve(text, purpose);
      return {
        use: (work) => reserved.use((draft) => work(modelOf(text, draft, left))),
        [Symbol.dispose]: () => reserved[Symbol.dispose](),
      };
    },
  };
}

function modelOf(text: TextCase, draft: Draft, left: TextLaneOptions['left']): TextModel {
  const { blocker, counts, sizes, left: leaving, ...facts } = draft.facts;
  const { source, target, needsNothing, named, states, damage, removed } = facts;
  return {
    facts: {
      source,
      target,
      needsNothing,
      named,
      states,
      damage,
      removed,
      ...(blocker === undefined ? { blocker, counts, sizes } : { blocker: unlike(text) }),
    },
    texts: () => textsOf(text, draft),
    async answer(answers) {
      for (let from = 0; from < answers.length; from += RECALL_PORTION) {
        await draft.answer(answers.slice(from, from + RECALL_PORTION));
      }
    },
    again: async () => [],
    compose: (at) => draft.finish(at),
    async prepare() {
      const { project, language, source: path } = text.job;
      await left.keep({ project, language, format: leaving.format }, path, leaving.texts);
      await draft.prepare();
    },
    keep: async () => {},
    report: async () => {},
    foresee: (at) => foresee(draft, at),
    frameConflicts: async (at) => (blocker === undefined ? await draft.frameConflicts(at) : 0),
    isUpToDate: (at) => isUpToDate(draft, at),
    records: (at) => draft.records(at),
    openUnits: () => draft.openUnits(),
    notes: async () => [...draft.facts.notes, ...(await draft.staleTerms())],
  };
}

async function* textsOf(text: TextCase, draft: Draft): AsyncGenerator<readonly JobText[]> {
  for (let from = 0; from < draft.facts.texts; ) {
    const portion = await draft.texts(from);
    yield portion.map((open) => wantedFrom(text, open));
    from += portion.length;
  }
}

/** A target with another structure than its source cannot be written. What is slow to read may take too long to write. */
async function foresee(draft: Draft, at: string): Promise<void> {
  const { target, texts, isSlow } = draft.facts;
  const isInDoubt = target !== undefined || isSlow === true;
  if (isInDoubt && texts > 0) await draft.tryToCompose(at);
}

async function isUpToDate(draft: Draft, at: string): Promise<boolean> {
  const { target, blocker, needsNothing, texts } = draft.facts;
  if (texts > 0) return false;
  if (blocker !== undefined) return needsNothing;
  const { content, state } = await draft.finish(at);
  // Without any text in the source, there is neither a target nor a content for one.
  return content?.hash === target?.hash && state.kind === 'done';
}

function unlike({ root, targetPath }: TextCase): Hold {
  return {
    kind: 'unsuitable',
    message: `${join(root, targetPath)} exists and has another structure than its source: it is not changed`,
    advice:
      'bring both to the same number of paragraphs, or delete the target to have it translated',
  };
}
