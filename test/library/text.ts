import { connect } from '../../src/service/client.ts';

const { DRAGOMAN_URL = '', DRAGOMAN_KEY = '' } = process.env;
await using service = connect({ url: DRAGOMAN_URL, key: DRAGOMAN_KEY });

const { translations, billed_characters } = await service.text.translate({
  text: ['Hello, world', 'Good morning'],
  target_lang: 'de',
  formality: 'prefer_more',
});
for (const { text, detected_source_language } of translations) {
  console.log(detected_source_language, text);
}
console.log(`${billed_characters} characters`);
