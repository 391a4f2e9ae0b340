/** The only error of the sandbox: an HTTP status with the body `{message, detail?}` (docs/design/api.md, "Errors"). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    extra: { detail?: string; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.detail = extra.detail;
    this.headers = extra.headers ?? {};
  }

  /** The body on the wire. */
  get body(): { message: string; detail?: string } {
    return this.detail === undefined
      ? { message: this.message }
      : { message: this.message, detail: this.detail };
  }
}

/** 400 that names the parameter. */
export function badParameter(parameter: string, rule: string): Refusal {
  return new Refusal(400, `Bad request. Parameter '${parameter}' ${rule}.`);
}

/** 404 for an id that does not exist, or that belongs to another account or data center. */
export function notFound(what: string): Refusal {
  return new Refusal(404, `${what} not found.`);
}

/** Turns any error into a Refusal: an error that is not a Refusal is a defect of the sandbox, 500. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(500, `Internal error: ${error instanceof Error ? error.message : error}`);
}
