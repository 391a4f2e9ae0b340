import {
  connect,
  describeFailure,
  JobFailure,
  PartialFailure,
  type TranslateResult,
} from '../../src/service/client.ts';

const { DRAGOMAN_URL = '', DRAGOMAN_KEY = '' } = process.env;
await using service = connect({ url: DRAGOMAN_URL, key: DRAGOMAN_KEY });

async function translate(text: string[], target_lang: string): Promise<string[]> {
  try {
    const { translations } = await service.text.translate({ text, target_lang });
    return translations.map((one) => one.text);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    explain(error);
    return [];
  }
}

function explain(error: JobFailure): void {
  const { failure, traceId } = error;
  if (error instanceof PartialFailure) {
    const { translations } = (error as PartialFailure<TranslateResult>).done;
    console.log(`${translations.length} texts were translated and billed before it failed`);
  }
  switch (failure.kind) {
    case 'invalid-request':
      console.log(`${failure.parameter} ${failure.rule}`);
      break;
    case 'key-refused':
    case 'key-missing':
      console.log('check the key');
      break;
    case 'quota-exceeded':
      console.log('no characters left');
      break;
    case 'unanswered':
      console.log('it may have been billed: asking again may bill it again');
      break;
    default:
      console.log(describeFailure(failure), traceId ?? '');
  }
}

await translate([], 'de');
await translate(['Hello'], 'klingon');
await translate(Array(60).fill('Hello'), 'de');
