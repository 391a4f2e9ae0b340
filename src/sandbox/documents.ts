/** `/v2/document`: upload, status, and the result, which can be downloaded only once (docs/design/api.md, "Documents"). */
import { createReadStream } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { describeFailure, failureOf } from '../failure.ts';
import { readDialectFields } from './body.ts';
import {
  type DocumentOutcome,
  type DocumentStatus,
  DocumentStore,
  type HeldDocument,
} from './documents-store.ts';
import { type DocumentUpload, receiveUpload } from './documents-upload.ts';
import { type Assessment, assess, translateDocument } from './documents-work.ts';
import { callOwner } from './owned.ts';
import { describeRecipe, resolveRecipe, type TranslationRecipe } from './recipe.ts';
import { notFound, Refusal } from './refusal.ts';
import {
  jsonReply,
  type KeyCall,
  type Reply,
  type Resource,
  type SandboxWorld,
} from './resource.ts';

export const documents: Resource = (world) => {
  const documents = new DocumentService(world);
  return [
    { method: 'POST', path: '/v2/document', answer: (call) => documents.upload(call) },
    {
      method: 'POST',
      path: '/v2/document/{document_id}',
      answer: (call) => documents.status(call),
    },
    {
      method: 'POST',
      path: '/v2/document/{document_id}/result',
      answer: (call) => documents.result(call),
    },
  ];
};

class DocumentService {
  readonly #world: SandboxWorld;
  readonly #store: DocumentStore;
  /** Documents are translated one at a time, since each is whole in memory meanwhile. */
  #work: Promise<void> = Promise.resolve();

  constructor(world: SandboxWorld) {
    this.#world = world;
    this.#store = new DocumentStore(world);
  }

  async upload(call: KeyCall): Promise<Reply> {
    const upload = await receiveUpload(this.#world, call);
    try {
      const { document_id, document_key } = await this.#accept(call, upload);
      return jsonReply({ document_id, document_key });
    } catch (error) {
      await this.#world.spool.remove(upload.file);
      throw error;
    }
  }

  async status(call: KeyCall): Promise<Reply> {
    const held = await this.#find(call);
    const failed = call.fault('failed_job');
    // A document that was reported as done stays done: the client may have booked its bill.
    if (failed && !held.isToldDone) this.#fail(call, held, failed.message);
    const { document_id } = held;
    const status = this.#store.statusOf(held);
    held.isToldDone ||= status.status === 'done';
    const spoken = this.#world.dialect === 'deployed' ? inDeployedWords(status) : status;
    return jsonReply({ document_id, ...faulty(call, spoken) });
  }

  /** Marks a document that cannot be translated. It is not billed. */
  #fail(call: KeyCall, held: HeldDocument, message: string): void {
    if (held.outcome.kind !== 'failed') {
      const { billed_characters: characters } = held;
      call.refund({ product: 'document', characters, operation: 'POST /v2/document' });
    }
    held.outcome = { kind: 'failed', message };
  }

  async result(call: KeyCall): Promise<Reply> {
    const held = await this.#find(call);
    const { status } = this.#store.statusOf(held);
    const { outcome, filename } = held;
    if (outcome.kind === 'failed') throw notFound('Result');
    if (status !== 'done' || outcome.kind !== 'written') {
      throw new Refusal(503, 'The document is not translated yet.');
    }
    const { file } = outcome;
    // The result is gone from here on, whether or not the answer arrives: a second download is impossible, also at the same time.
    const isKept = call.fault('keep_result') !== undefined;
    if (!isKept) this.#store.take(held);
    const wrong = call.fault('wrong_result');
    if (wrong !== undefined) {
      const bytes = Buffer.from(wrong.text, wrong.encoding ?? 'utf8');
      return { status: 200, body: { kind: 'bytes', type: 'application/octet-stream', bytes } };
    }
    const { size } = await stat(file);
    const stream = createReadStream(file);
    return {
      status: 200,
      headers: {
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
      },
      body: {
        kind: 'stream',
        type: 'application/octet-stream',
        length: size,
        stream,
      },
      sent: () => {
        stream.destroy();
        if (!isKept) void this.#world.spool.remove(file);
      },
    };
  }

  async #accept(call: KeyCall, upload: DocumentUpload): Promise<HeldDocument> {
    const { target_lang, source_lang, file, name, sha256, size: _, ...rules } = upload;
    await call.record({
      // A hash stands for the text: a file that is uploaded twice counts as asked twice, and faults can match its name.
      texts: [`${name} sha256:${sha256}`],
      target_lang,
      recipe: describeRecipe({ ...rules, source_lang }),
      ...(source_lang && { source_lang }),
    });
    const recipe = resolveRecipe(this.#world, call, upload);
    const assessment = await assess(this.#world, upload);
    // No await between here and the store, so that no other upload comes between.
    this.#store.refuseTooMany(callOwner(call));
    const billed_characters = assessment.kind === 'hopeless' ? 0 : assessment.characters;
    if (billed_characters > 0) call.bill('document', billed_characters);
    const held = this.#store.add(callOwner(call), {
      filename: resultName(upload),
      billed_characters,
    });
    const finish = async () => {
      held.outcome = await this.#finish(call, upload, { assessment, recipe });
      await this.#world.spool.remove(file);
    };
    // The outcome says what failed.
    this.#work = this.#work.then(finish).catch(() => {});
    return held;
  }

  async #finish(
    call: KeyCall,
    upload: DocumentUpload,
    { assessment, recipe }: { assessment: Assessment; recipe: TranslationRecipe },
  ): Promise<DocumentOutcome> {
    try {
      switch (assessment.kind) {
        case 'hopeless':
          return { kind: 'failed', message: assessment.message };
        case 'copied':
          return { kind: 'written', file: await this.#copy(upload) };
        case 'translatable': {
          const { source } = assessment;
          const file = await translateDocument(this.#world, call, { upload, source, recipe });
          return { kind: 'written', file };
        }
      }
    } catch (error) {
      return { kind: 'failed', message: describeFailure(failureOf(error)) };
    }
  }

  async #copy({ file }: DocumentUpload): Promise<string> {
    const copy = await this.#world.spool.file();
    await copyFile(file, copy);
    return copy;
  }

  async #find(call: KeyCall): Promise<HeldDocument> {
    const fields = await readDialectFields(call, this.#world);
    const document_id = call.params['document_id'] ?? '';
    const document_key = fields.requiredText('document_key');
    fields.refuseUnknown(this.#world.dialect);
    const held = this.#store.find(callOwner(call), { document_id, document_key });
    if (call.fault('lost_job') === undefined) return held;
    this.#store.take(held);
    throw notFound('Document');
  }
}

/** Deployments call the reason of a failure `error_message`, not `message` (docs/design/api.md, "Where deployments differ"). */
function inDeployedWords(status: DocumentStatus): object {
  return status.status === 'error' ? { ...status, error_message: status.message } : status;
}

/** A status, changed by the faults of this call. */
function faulty(call: KeyCall, status: object): object {
  const unknown = call.fault('unknown_state');
  if (unknown) return { status: unknown.state };
  const stuck = call.fault('seconds_remaining');
  return stuck ? { status: 'translating', seconds_remaining: stuck.seconds } : status;
}

function resultName({ name, output }: DocumentUpload): string {
  return `${name.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '')}.${output}`;
}
