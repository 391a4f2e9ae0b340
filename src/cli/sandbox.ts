/** `dragoman sandbox`: runs the local API server until Ctrl-C. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { aborted } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { readText } from '../files/read-file.ts';
import { parseFaults } from '../sandbox/fault-file.ts';
import { parseLimits } from '../sandbox/limits-file.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/server.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type ExitCode,
  UsageError,
} from './command.ts';

interface Options {
  readonly port: number;
  readonly key: string;
  readonly adminKey?: string;
  readonly engine: string;
  readonly dialect: 'document' | 'deployed';
  readonly timeScale: number;
  readonly faults?: string;
  readonly limits?: string;
  readonly passthrough?: boolean;
  readonly scheme?: string;
  readonly signatureScheme?: string;
}

export const command: CliCommand<Options> = {
  endsUnread: true,
  describe(command: Command) {
    command
      .option('--port <n>', 'port on 127.0.0.1; 0 takes a free one', readPort, 0)
      .option(
        '--key <key>',
        'key of the paid account; the other keys are derived from it',
        'sandbox',
      )
      .option('--admin-key <key>', 'key for developer keys and analytics (default: <key>-admin)')
      .option('--engine <engine>', 'pseudo, plain, echo, real or phrasebook:FILE', 'pseudo')
      .addOption(
        new Option('--dialect <dialect>', 'behave as the API is documented, or as deployments do')
          .choices(['document', 'deployed'])
          .default('document'),
      )
      .option('--time-scale <x>', 'how many times faster jobs finish', readScale, 1)
      .option('--faults <file>', 'JSON file with faults to produce')
      .option('--limits <file>', 'JSON file with limits that differ from the documented ones')
      .option('--passthrough', 'return documents that cannot be translated unchanged')
      .option('--scheme <token>', 'token before a key (default: Service-Auth-Key)', readToken)
      .option(
        '--signature-scheme <token>',
        'token before a signature (default: Service-Signature)',
        readToken,
      )
      .addHelpText('after', HELP);
  },

  async run(call: CommandCall<Options>): Promise<ExitCode> {
    const options = await readOptions(call);
    await using sandbox = await start(options);
    announce(call, sandbox);
    await aborted(call.signals.drain);
    return 0;
  },
};

const HELP = `
Keys, each of an account of its own:
  <key>               paid, everything
  <key>-free          free plan: no styles, no text improvement, 500,000 characters
  <key>-classic       classic plan: short usage answer
  <key>-no-detection  without language detection
  <key>-no-voice      without voice
  <key>-no-styles     without styles
  <key>-limited       1,000 characters for the key
  <key>-second        lives in the second data center

Examples:
  dragoman sandbox --port 9731
  dragoman sandbox --engine phrasebook:phrases.json --time-scale 60
  curl -X POST ADDRESS/sandbox/faults -d '{"kind":"status","status":529,"times":3}'
  curl ADDRESS/sandbox/counters`;

async function readOptions({ options, cwd }: CommandCall<Options>): Promise<SandboxOptions> {
  const { faults, limits, adminKey, port, key, dialect, timeScale, scheme, signatureScheme } =
    options;
  return {
    port,
    key,
    dialect,
    timeScale,
    engine: options.engine,
    passthrough: options.passthrough ?? false,
    schemes: {
      ...(scheme !== undefined && { key: scheme }),
      ...(signatureScheme !== undefined && { signature: signatureScheme }),
    },
    ...(adminKey !== undefined && { adminKey }),
    ...(faults !== undefined && { faults: await readJson(resolve(cwd, faults), parseFaults) }),
    ...(limits !== undefined && { limits: await readJson(resolve(cwd, limits), parseLimits) }),
  };
}

async function readJson<T>(file: string, parse: (value: unknown) => T): Promise<T> {
  try {
    return parse(JSON.parse(await readText(file)));
  } catch (cause) {
    if (cause instanceof JobFailure) throw new UsageError(cause.message, { cause });
    throw new UsageError(`${file}: ${(cause as Error).message}`, { cause });
  }
}

async function start(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await startSandbox(options);
  } catch (cause) {
    throw new CommandFailure(69, `The sandbox did not start: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function announce({ options, terminal }: CommandCall<Options>, sandbox: Sandbox): void {
  const { url, key, secondUrl, adminKey } = sandbox;
  if (options.json) {
    terminal.json({ url, key, second_url: secondUrl, admin_key: adminKey });
    return;
  }
  terminal.out(`address             ${url}`);
  terminal.out(`key                 ${key}`);
  terminal.out(`second data center  ${secondUrl}`);
  terminal.out(`admin key           ${adminKey}`);
  terminal.note(`Counters: ${url}/sandbox/counters. Ctrl-C ends it.`);
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

/** A token of HTTP (RFC 9110, section 5.6.2), which holds no space. */
function readToken(text: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(text)) return text;
  throw new InvalidArgumentError('A token is one word.');
}

function readScale(text: string): number {
  const scale = Number(text);
  if (Number.isFinite(scale) && scale > 0) return scale;
  throw new InvalidArgumentError('The time scale is a number above 0.');
}
