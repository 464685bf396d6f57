/**
 * The valence of single words, −4 (worst) to 4 (best). General words and their valences were
 * compiled for this project; crypto words follow METHODS §8.2. Words whose meaning depends on the
 * speaker (ape, degen, shill, pump, sick, insane) are in no list.
 */
import { PHRASES_BY_FIRST, type Phrase, SIDES } from './phrases.ts';

type ValenceList = readonly (readonly [valence: number, words: string])[];

const GENERAL: ValenceList = [
  [
    3.2,
    'love loved loves loving adore adored amazing awesome excellent outstanding superb fantastic ecstatic perfect perfection phenomenal magnificent brilliant blessed best euphoric thrilled overjoyed heavenly masterpiece incredible',
  ],
  [
    2.7,
    'wonderful beautiful gorgeous happy happiest happiness joy joyful delighted delightful great greatest greatness win winner winners winning wins won triumph triumphant success successful celebrate celebrated celebrating hilarious stunning glorious marvelous sweetest terrific splendid miracle',
  ],
  [
    2.2,
    'glad good goodness excited exciting excitement enjoy enjoyed enjoying enjoys fun funny laugh laughed laughing lol lmao rofl haha hahaha hahahaha yay yayy woohoo hooray congrats congratulations thank thanks thankful grateful gratitude proud pride lovely cute sweet pretty impressed impressive inspire inspired inspiring delicious yummy smile smiles smiling cheers peace hope hopeful kind kindness generous gift friend friends friendly hero handsome lucky luck paradise',
  ],
  [
    1.7,
    'better nice like liked likes cool enthusiastic optimistic optimism positive strong stronger strongest strength solid healthy promising profit profits profitable gain gains gained gaining beat beats beating upgrade upgraded upgrades outperform outperforms rally rallied rallies rallying soar soars soared soaring surge surges surged surging boom booming breakout undervalued rich wealthy freedom relief relieved recommend recommended support supported supports supporting welcome worthy comfort comfortable calm calming relaxed relaxing respect smart clever talented fresh free bonus prize reward rewards trust trusted safe secure improve improved improves improving improvement',
  ],
  [
    1.1,
    'fine ok okay agree agreed accept accepted interested interesting useful helpful help helped helps easy growth grow grows growing grew rise rises rising rose climb climbs climbed jump jumps jumped rebound rebounds recover recovers recovery record high higher buy buying bought long accumulate accumulating opportunity dream dreams ready wow share sure clean clear approve approved approval launch launches partnership dividend up upside moving bottomed bounce bounced bouncing green',
  ],
  [
    -1.1,
    'down lower low drop drops dropped dropping dip decline declines declined declining slip slips slipped fall falls falling fell slow slower slowing miss misses missed missing late delay delays delayed short shorted shorts shorting sell selling sold red overvalued expensive hard difficult doubt doubts doubtful unsure uncertain uncertainty boring bored tired sorry forget forgot alone lonely cold cut cuts wait waiting less lose puts weak weaker weakness resistance cautious caution odd strange problem problems trouble issue issues cheap hesitant nervous concern concerns concerned warning warn warns warned risk risks risky debt unstable hmm meh',
  ],
  [
    -1.7,
    'bad wrong sad sadly unhappy upset upsetting annoyed annoying annoys worry worried worries worrying fear fears afraid scared scary anxious anxiety stress stressed stressful plunge plunges plunged plunging slump slumps slumped tumble tumbles tumbled sink sinks sinking slide slides sank downgrade downgraded downgrades underperform loss losses losing loses lost fail fails failed failing failure hurt hurts hurting pain painful ugly cry cries crying cried tears regret regrets disappointed disappointing disappointment disappoint ignore ignored jealous lazy mess messed noob poor poverty reject rejected struggle struggling struggles stuck suffer suffered suffering terrified weird wreck injured injury lawsuit sued investigation probe broke broken bleed bleeding trap trapped baghold bagholder bagholders bagholding overpriced manipulation manipulated dilution layoffs recession inflation default unfair unfortunately',
  ],
  [
    -2.3,
    'angry anger mad furious hate hated hates hating hatred awful terrible horrible horrid dreadful nasty gross disgusting disgusted disgust disgrace pathetic useless worthless garbage trash rubbish crap crappy stupid dumb idiot idiots idiotic moron morons fool fools foolish ridiculous joke liar liars lie lied lies lying cheat cheated cheating cheater crash crashes crashed crashing collapse collapsed collapses collapsing tank tanks tanked tanking tragic tragedy misery miserable depressed depressing depression devastated devastating nightmare suck sucks sucked damn damned dammit shame shameful sin lame loser losers insult insulted threat threaten threatened attack attacked abuse abused cruel evil guilty horrified violent violence war ruin ruined ruins bankrupt bankruptcy insolvent delisted delisting exploit exploited hacked hack',
  ],
  [
    -3,
    'worst die died dies dying dead death kill killed killing kills murder murdered fuck fucked fucking fuckin shit shitty bullshit bitch asshole bastard disaster disastrous catastrophe catastrophic terrorist terrorism terror rape raped cancer suicide fraud frauds fraudulent thief thieves steal stealing stole stolen theft corrupt corruption criminal criminals hell vile',
  ],
];

const CRYPTO: ValenceList = [
  [2, 'moon mooning mooned moons bullish tothemoon sendit'],
  [1.8, 'gem gems wagmi bull bulls'],
  [1.5, 'lfg lfgg lfggg giga gigachad diamondhands parabolic'],
  [1.3, 'ath aths hodl hodling bidding bullrun'],
  [1.2, 'based chad alpha cooking'],
  [0.8, 'send sending sends hold holding calls'],
  [-1.2, 'farm farmed farming fud snipers paperhands'],
  [-1.5, 'cooked jeeted liquidated'],
  [-1.6, 'jeet jeets bundled bundle bundlers'],
  [-1.8, 'ngmi dump dumping dumped dumps larp bear bears capitulation'],
  [-2, 'bearish drained drain drainer'],
  [-2.5, 'rekt wrecked ponzi'],
  [-3, 'scam scams scammer scammers scammed scamming'],
  [-3.2, 'rug rugs rugged rugging rugpull rugpulled honeypot honeypots'],
];

/** Emoji and emoticons; emoji without their variation selectors. */
const PICTURES: ValenceList = [
  [2.4, '❤ 😍 🥰 😘 💕 💖 💗 💙 💚 💛 💜 🥳 🎉 🤩 <3'],
  [1.8, '🚀 😊 😁 😀 😄 😃 😎 😂 🤣 🙌 👏 🔥 🏆 💯 🤑 :) :-) =) :D :-D ;) ;-) xd'],
  [1.2, '💎 👍 💪 📈 🐂 🐃 🌙 🌕 ✅ 🙏 💰 💵 🍾 🥂 🍻 😉 🤗 🟢 ⬆ :p :-p'],
  [-1, '😕 😐 😬 😒 🙄 🤔 😅 🔴 ⬇ 🩸 :/ :-/ :|'],
  [-1.5, '📉 🐻 😢 😞 😔 😟 👎 😱 😰 😨 :( :-( =( ;('],
  [-1.8, '🤡 😭 😠 🚨 💩 😤 😩 😫 💔 🐍'],
  [-2.4, '😡 🤬 🤮 🤢 💀 ☠ 🖕'],
];

/** Words that reverse the valence of the next three words. */
const NEGATIONS: ReadonlySet<string> = new Set(
  'not no never none nobody nothing nowhere neither nor without hardly barely scarcely cannot cant wont dont doesnt didnt isnt arent wasnt werent wouldnt shouldnt couldnt aint hasnt havent hadnt nope'.split(
    ' ',
  ),
);

/** Words that make the next stronger (above 0) or weaker (below 0), as a share of its valence. */
const INTENSITIES: ReadonlyMap<string, number> = new Map([
  ...listed(
    0.293,
    'very really so extremely absolutely totally completely incredibly insanely super mega ultra hella fully highly most utterly deeply freaking friggin hugely massively seriously purely especially such',
  ),
  ...listed(
    -0.293,
    'slightly somewhat kinda sorta almost partly partially marginally bit less little mildly fairly occasionally',
  ),
]);

const VALENCES: ReadonlyMap<string, number> = new Map(
  [...GENERAL, ...CRYPTO, ...PICTURES].flatMap(([valence, words]) => listed(valence, words)),
);

/** The entry of a word. */
export interface LexiconEntry {
  /** −4 to 4; 0 for a word without its own valence. */
  readonly valence: number;
  /** How much it changes the next word, as a share; 0 for most words. */
  readonly intensity: number;
  readonly isNegation: boolean;
  /** The phrases that begin with it, the longest first. */
  readonly phrases: readonly Phrase[];
  /** 1 for a word of buyers, −1 for one of sellers, else 0. */
  readonly side: number;
}

/** Entries by word in lower case without apostrophes, emoji and emoticon. */
export const LEXICON: ReadonlyMap<string, LexiconEntry> = new Map(
  [
    ...new Set([
      ...VALENCES.keys(),
      ...INTENSITIES.keys(),
      ...NEGATIONS,
      ...PHRASES_BY_FIRST.keys(),
      ...SIDES.keys(),
    ]),
  ].map((word) => [
    word,
    {
      valence: VALENCES.get(word) ?? 0,
      intensity: INTENSITIES.get(word) ?? 0,
      isNegation: NEGATIONS.has(word),
      phrases: PHRASES_BY_FIRST.get(word) ?? [],
      side: SIDES.get(word) ?? 0,
    },
  ]),
);

function listed(value: number, words: string): [string, number][] {
  return words.split(' ').map((word) => [word, value]);
}
