import type { Random } from '../random/random.ts';
import type { MentionForm } from './social-post.ts';
import { cashtagOf, type SocialToken, type SocialTokens } from './social-tokens.ts';

/** The way a text names a token, and the words for it. */
export interface MentionText {
  readonly token: SocialToken;
  readonly by: MentionForm;
  readonly isAmbiguous: boolean;
  readonly text: string;
}

type Wording = Omit<MentionText, 'token' | 'isAmbiguous'>;

/** Shares of mentions; the rest use the cashtag. */
const SHARES = { address: 0.22, link: 0.1, handle: 0.2, name: 0.04 } as const;

const ADDRESS_FORMS = ['{a}', 'CA: {a}', 'pump.fun/coin/{a}', 'https://dexscreener.com/solana/{a}'];
const CASES = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
];

/** Words for a token by which a reader can identify it. */
export function mentionOf(random: Random, tokens: SocialTokens, token: SocialToken): MentionText {
  const { by, text } = wordingOf(random, token);
  return { token, by, text, isAmbiguous: by === 'cashtag' && tokens.isAmbiguous(token) };
}

/** The mint's address, which is always unambiguous. */
export function addressMention(random: Random, token: SocialToken): MentionText {
  return { token, ...addressWording(random, token), isAmbiguous: false };
}

function wordingOf(random: Random, token: SocialToken): Wording {
  const drawn = random.unit();
  const { handle, website } = token;
  if (drawn < SHARES.address) return addressWording(random, token);
  if (drawn < SHARES.address + SHARES.link) {
    if (handle !== null && (website === null || random.chance(0.5))) {
      return { by: 'link', text: `https://x.com/${handle}` };
    }
    if (website !== null) return { by: 'link', text: website };
  } else if (drawn < SHARES.address + SHARES.link + SHARES.handle) {
    if (handle !== null) return { by: 'handle', text: `@${handle}` };
  } else if (drawn < SHARES.address + SHARES.link + SHARES.handle + SHARES.name) {
    return { by: 'name', text: token.name };
  }
  const cashtag = cashtagOf(token);
  if (cashtag === null) return addressWording(random, token);
  return { by: 'cashtag', text: random.pick(CASES)(cashtag) };
}

function addressWording(random: Random, { mint }: SocialToken): Wording {
  return { by: 'address', text: random.pick(ADDRESS_FORMS).replace('{a}', mint) };
}
