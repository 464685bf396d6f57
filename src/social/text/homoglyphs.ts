/**
 * Letters of other scripts that look like Latin ones, after Unicode's list of confusables (UTS 39),
 * as far as they occur in words: each list is read in parallel to its Latin letters.
 */
const LOOKALIKES: readonly (readonly [others: string, latin: string])[] = [
  // Cyrillic.
  ['асԁеһіјӏмпорԛѕтгухѵѡкьв', 'acdehijlmnopqstryxvwkbb'],
  ['АВСЕНІЈКМОРԚЅТУХѴԜ', 'ABCEHIJKMOPQSTYXVW'],
  // Greek.
  ['αβγεηικνορστυχω', 'abyenikvopotuxw'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  // Small capitals and other letters of phonetic scripts.
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
  ['ɑɡıɩʋɯøłđħ', 'agiiuwoldh'],
  // Armenian and Cherokee.
  ['օսհոց', 'ouhng'],
  ['ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ', 'ABCDEHJKLMPRSTVWZ'],
];

const LATIN: ReadonlyMap<string, string> = new Map(
  LOOKALIKES.flatMap(([others, latin]) => [...others].map((other, at) => [other, latin[at] ?? ''])),
);

/** Ranges of the letters above, so that most texts are not searched further. */
const SUSPECT =
  /[\u00f8\u0111\u0127\u0131\u0142\u0250-\u02af\u0370-\u058f\u13a0-\u13ff\u1d00-\u1d2b\ua730\ua731]/;
const WORD = /[\p{L}\p{N}]+/gu;
const LATIN_LETTER = /\p{Script=Latin}/u;
/** White letters on black squares and circles, which no compatibility form covers. */
const BOXED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu;
const BOXED_STARTS = [0x1f150, 0x1f170] as const;
const LETTER_COUNT = 26;

/**
 * The text with lookalikes replaced in words that mix them with Latin letters. A word that consists
 * of lookalikes is replaced as well, if the text has Latin words and none in another script: `оса` is
 * a wasp.
 */
export function latinOf(text: string): string {
  const unboxed = text.replace(BOXED, letterOfBox);
  if (!SUSPECT.test(unboxed)) return unboxed;
  const isForeign = !LATIN_LETTER.test(unboxed) || (unboxed.match(WORD) ?? []).some(isOtherScript);
  return unboxed.replace(WORD, (word) => {
    if (!SUSPECT.test(word)) return word;
    const mapped = mappedWord(word);
    if (LATIN_LETTER.test(word)) return mapped;
    return isForeign || SUSPECT.test(mapped) ? word : mapped;
  });
}

/** Whether a word has letters of another script that look like no Latin letter. */
function isOtherScript(word: string): boolean {
  return !LATIN_LETTER.test(word) && SUSPECT.test(word) && SUSPECT.test(mappedWord(word));
}

function mappedWord(word: string): string {
  let mapped = '';
  for (const letter of word) mapped += LATIN.get(letter) ?? letter;
  return mapped;
}

function letterOfBox(box: string): string {
  const code = box.codePointAt(0) ?? 0;
  const start = BOXED_STARTS.find((first) => code >= first && code < first + LETTER_COUNT) ?? code;
  return String.fromCharCode(97 + code - start);
}
