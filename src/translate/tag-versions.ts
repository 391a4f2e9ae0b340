/** The tag handling version of each language pair: v2 needs a model that some pairs do not have. */
import { type Failure, failureOf } from '../failure.ts';
import { commitDecision, type Ledger } from '../ledger.ts';
import type { Recipe } from '../plan/recipe.ts';
import type { RequestKind } from './request.ts';

export class TagVersions {
  readonly #ledger: Ledger;
  /** Pairs that took v1 after v2 was refused for a reason that may pass: the next process tries v2 again. */
  readonly #forNow = new Set<string>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The request with the version that its pair takes. */
  taken(kind: RequestKind): RequestKind {
    return isChosenByUs(kind) && this.#isOld(kind.recipe) ? { ...kind, version: 'v1' } : kind;
  }

  /**
   * Tries v2 once for each pair, and v1 after a refusal, which bills nothing.
   * @param buy throws JobFailure
   */
  async tried<T>(kind: RequestKind, buy: (kind: RequestKind) => Promise<T>): Promise<T> {
    const taken = this.taken(kind);
    try {
      return await buy(taken);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'rejected' || !isChosenByUs(taken)) throw error;
      const bought = await buy({ ...taken, version: 'v1' }).catch((again: unknown) => {
        // If v1 is refused too, the version is not the reason, and the first refusal names the reason.
        throw failureOf(again).kind === 'rejected' ? error : again;
      });
      await this.#remember(kind.recipe, failure);
      return bought;
    }
  }

  #isOld(recipe: Recipe): boolean {
    const pair = tagPairKey(recipe);
    return this.#forNow.has(pair) || this.#ledger.get('remotes', pair) !== undefined;
  }

  async #remember(recipe: Recipe, { message }: Extract<Failure, { kind: 'rejected' }>) {
    const id = tagPairKey(recipe);
    this.#forNow.add(id);
    if (!/tag_handling|version|model/i.test(message)) return;
    const value = { version: 'v1', reason: message };
    const put = { id, kind: 'pair', value } as const;
    await commitDecision(this.#ledger, () => {
      const from = this.#ledger.get('remotes', id);
      return from === undefined ? [{ table: 'remotes', put, from }] : [];
    });
  }
}

/** A version in the config is a person's choice and is not changed. */
function isChosenByUs({ form, version, recipe }: RequestKind): boolean {
  return form === 'xml' && version === 'v2' && recipe.tagHandlingVersion === undefined;
}

function tagPairKey({ source, target }: Recipe): string {
  return `tag handling ${source ?? 'auto'} ${target}`;
}
