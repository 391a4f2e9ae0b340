/** `POST /v3/detect/language`: the language of each text, or the reason why there is none. */
import { readFields } from './body.ts';
import { type Guess, languageOfText } from './language-guess.ts';
import { jsonReply, type Resource } from './resource.ts';
import { readTexts } from './text-request.ts';

export const detection: Resource = (world) => [
  {
    method: 'POST',
    path: '/v3/detect/language',
    feature: 'detection',
    async answer(call) {
      const fields = await readFields(call);
      const texts = readTexts(fields, world.limits.texts);
      fields.refuseUnknown(world.dialect);
      await call.record({ texts });
      return jsonReply({ results: texts.map((text) => detectionShape(languageOfText(text))) });
    },
  },
];

function detectionShape(guess: Guess): unknown {
  return guess.status === 'success'
    ? { detected_language: guess.language, detection_status: guess.status }
    : { detection_status: guess.status };
}
