import { afterAll, beforeAll, describe } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import {
  type ContractFeature,
  type ContractTarget,
  serviceContract,
} from '../contracts/service.ts';

const EVERYTHING: ReadonlySet<ContractFeature> = new Set([
  'write',
  'detection',
  'styles',
  'memories',
  'voice',
  'administration',
  'hears_silence',
  'exact_usage',
]);

describe.each(['document', 'deployed'] as const)('sandbox', (dialect) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ dialect, timeScale: 100 });
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  serviceContract(`the ${dialect} dialect`, async () => ({
    options: {
      url: sandbox.url,
      key: sandbox.key,
      adminKey: sandbox.adminKey,
      dialect,
      capabilities: dialect === 'deployed' ? ['instruction_edit', 'document_style'] : [],
    },
    features: EVERYTHING,
    pollMs: 20,
  }));
});

const { DRAGOMAN_TEST_URL: url, DRAGOMAN_TEST_KEY: key } = process.env;

if (url !== undefined && key !== undefined) {
  serviceContract('a real deployment', async () => realDeployment(url, key));
}

/** DRAGOMAN_TEST_FEATURES names further features of the account, separated by commas. */
function realDeployment(url: string, key: string): ContractTarget {
  const env = process.env;
  const features = (env['DRAGOMAN_TEST_FEATURES'] ?? '').split(',') as ContractFeature[];
  return {
    options: {
      url,
      key,
      dialect: env['DRAGOMAN_TEST_DIALECT'] === 'document' ? 'document' : 'deployed',
      ...(env['DRAGOMAN_TEST_SCHEME'] && { scheme: env['DRAGOMAN_TEST_SCHEME'] }),
      ...(env['DRAGOMAN_TEST_SIGNATURE_SCHEME'] && {
        signatureScheme: env['DRAGOMAN_TEST_SIGNATURE_SCHEME'],
      }),
      ...(env['DRAGOMAN_TEST_ADMIN_KEY'] && { adminKey: env['DRAGOMAN_TEST_ADMIN_KEY'] }),
    },
    features: new Set(features),
    pollMs: 2000,
  };
}
