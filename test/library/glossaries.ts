import { connect } from '../../src/service/client.ts';

const { DRAGOMAN_URL = '', DRAGOMAN_KEY = '' } = process.env;
await using service = connect({ url: DRAGOMAN_URL, key: DRAGOMAN_KEY });

const pair = { source_lang: 'en', target_lang: 'de' };
const { glossary_id } = await service.glossaries.create({
  name: 'Product terms',
  dictionaries: [{ ...pair, entries: 'account,Konto\nuser,Nutzer', entries_format: 'csv' }],
});

const { translations } = await service.text.translate({
  ...pair,
  text: 'Delete the account',
  glossary_id,
});
console.log(translations[0]?.text);

await service.glossaries.update(glossary_id, {
  dictionaries: [{ ...pair, entries: 'password\tKennwort', entries_format: 'tsv' }],
});
const { entries } = await service.glossaries.entries(glossary_id, pair);
console.log(entries);

await service.glossaries.remove(glossary_id);
