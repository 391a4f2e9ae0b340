/** The faults that the sandbox can commit on request, as data. Durations are wall-clock milliseconds. */

/** How a translation comes back damaged. */
export type Damage =
  | 'drop' // a placeholder or tag is gone
  | 'duplicate' // it is there twice
  | 'move' // it stands at the end
  | 'empty_pair' // `<b>x</b>` becomes `<b></b>x`
  | 'eat_space' // the blanks around it are gone
  | 'translate_id' // its name is translated
  | 'unescape'; // `&amp;` becomes `&`

export type FaultEffect =
  // before any work
  | {
      kind: 'status';
      status: number;
      /** Seconds, or an HTTP date. */
      retry_after?: number | string;
      message?: string;
      /** What a proxy in between would send. */
      format?: 'json' | 'html';
    }
  | { kind: 'latency'; ms: number }
  | { kind: 'reset' }
  /** 456 when `characters` more have been billed. */
  | { kind: 'quota'; characters: number }
  // after the work was done and billed
  | { kind: 'no_answer'; how?: 'reset' | 'silence' }
  | { kind: 'slow_headers'; ms: number }
  /** The body is spread over `ms`. */
  | { kind: 'slow_body'; ms: number }
  /** The connection is cut after so many bytes of the body. */
  | { kind: 'cut_body'; bytes: number }
  // wrong translations
  | { kind: 'empty' }
  | { kind: 'damage'; how: Damage }
  | { kind: 'newlines'; how: 'add' | 'lose' }
  // glossaries
  | { kind: 'delete_glossary'; answer?: 'not_found' | 'untranslated' }
  | { kind: 'not_ready' }
  // documents and voice jobs
  | { kind: 'seconds_remaining'; seconds: number }
  | { kind: 'unknown_state'; state: string }
  | { kind: 'lost_job' }
  /** The result can be fetched again: this download does not count. */
  | { kind: 'keep_result' }
  /** Something else comes instead of the result. */
  | { kind: 'wrong_result'; text: string }
  | { kind: 'failed_job'; message: string }
  /** One result fewer than there are targets. */
  | { kind: 'out_of_step' }
  | { kind: 'expired_signature' };

export type FaultKind = FaultEffect['kind'];
export type FaultOf<K extends FaultKind> = Extract<FaultEffect, { kind: K }>;

/** When a fault strikes. Everything that is absent matches everything. */
export interface FaultAim {
  /** `METHOD path-template`. */
  operation?: string;
  /** How often; once when absent. */
  times?: number | 'always';
  /** Calls that are let through first. */
  skip?: number;
  /** Only for this target language, in any casing. */
  target_lang?: string;
  /** Only for calls with a text that this regular expression finds. */
  matches?: string;
}

export type Fault = FaultEffect & FaultAim;
