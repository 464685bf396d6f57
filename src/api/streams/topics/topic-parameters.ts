import { type Static, type TSchema, Type } from 'typebox';
import { ApiError } from '../../../model/errors.ts';
import { FRAUD_TYPES } from '../../../model/fraud.ts';
import { RULE_AUTHORS } from '../../../model/rule-change.ts';
import { parseRuleId } from '../../../model/rule-hit.ts';
import { SIGNAL_MODELS } from '../../../model/signal.ts';
import { isOfRule, type StreamedSignal } from '../../../model/signal-listing.ts';
import {
  STREAM_TOPICS,
  type StreamTopic,
  type Subject,
  type SubjectProperty,
  subjectOf,
} from '../../../model/slot-frame.ts';
import { TRADE_CLASSES, type Trade } from '../../../model/trade.ts';
import { compileRequestPart } from '../../requests/compile-request-part.ts';
import { askedAuthors, RESULT_AUTHORS } from '../../schemas/author-parameter.ts';
import { EXAMPLE } from '../../schemas/examples.ts';
import {
  AddressParameter,
  ChoiceParameter,
  ListParameter,
  UsdParameter,
} from '../../schemas/parameters.ts';
import { RuleIdParameter } from '../../schemas/rule-path.ts';
import type { ItemFilter, TopicRequest } from './topic-hub.ts';

/** Parameters of subscriptions; each topic takes some of them. */
export const TOPIC_PARAMETERS = {
  pair_address: Type.Optional(
    AddressParameter({ description: 'Only this pool.', example: EXAMPLE.pool, invalidStatus: 422 }),
  ),
  token_address: Type.Optional(
    AddressParameter({
      description: 'Only this token.',
      example: EXAMPLE.mint,
      invalidStatus: 422,
    }),
  ),
  wallet_address: Type.Optional(
    AddressParameter({
      description: 'Only this wallet.',
      example: EXAMPLE.wallet,
      invalidStatus: 422,
    }),
  ),
  creator_address: Type.Optional(
    AddressParameter({
      description: 'Only tokens of this creator.',
      example: EXAMPLE.creator,
      invalidStatus: 422,
    }),
  ),
  side: Type.Optional(
    ChoiceParameter(['buy', 'sell'], { description: 'Only this side.', invalidStatus: 422 }),
  ),
  min_value_usd: Type.Optional(
    UsdParameter({ description: 'Only trades of at least this value.' }),
  ),
  class: Type.Optional(
    ChoiceParameter(TRADE_CLASSES, {
      description: 'organic: only trades that count as organic volume; bot: only those of bots.',
      invalidStatus: 422,
    }),
  ),
  model_name: Type.Optional(
    ListParameter(SIGNAL_MODELS, { description: 'Only signals of these models.' }),
  ),
  fraud_type: Type.Optional(
    ListParameter(FRAUD_TYPES, { description: 'Only findings of these patterns.' }),
  ),
  author: Type.Optional(
    ListParameter(RESULT_AUTHORS, {
      description:
        'Whose results. Of signals: those of the models (built_in, the default), those of the ' +
        'rules of the account of the key, or those of the rules of the operator. Of rule_hits: ' +
        'account, operator or both, the default.',
    }),
  ),
  rule_id: Type.Optional(RuleIdParameter(422)),
};

const Parameters = Type.Object(TOPIC_PARAMETERS);

/** Parsed parameters of a subscription. */
export type TopicValues = Static<typeof Parameters>;
type ParameterName = keyof TopicValues;

interface Topic {
  /** Parameters that select the subject: at most one, and exactly one if `isScoped`. */
  readonly scopes: Readonly<Partial<Record<ParameterName, SubjectProperty>>>;
  readonly isScoped?: boolean;
  readonly filters?: readonly ParameterName[];
  readonly filterOf?: (values: TopicValues) => ItemFilter | null;
}

const POOL_OR_TOKEN = { pair_address: 'pool', token_address: 'mint' } as const;

const TOPICS: Readonly<Record<StreamTopic, Topic>> = {
  pool: { scopes: POOL_OR_TOKEN },
  token: { scopes: { token_address: 'mint' }, isScoped: true },
  wallet: { scopes: { wallet_address: 'wallet' }, isScoped: true },
  trades: {
    scopes: { ...POOL_OR_TOKEN, wallet_address: 'wallet' },
    filters: ['side', 'min_value_usd', 'class'],
    filterOf: tradeFilter,
  },
  candles: { scopes: POOL_OR_TOKEN, isScoped: true },
  indicators: { scopes: POOL_OR_TOKEN },
  findings: {
    scopes: { token_address: 'mint', wallet_address: 'wallet' },
    filters: ['fraud_type'],
    filterOf: ({ fraud_type: types }) =>
      types === undefined
        ? null
        : (item) =>
            item.topic === 'findings' &&
            types.includes(item.finding.classification.finding.fraudType),
  },
  new_tokens: { scopes: { creator_address: 'creator' } },
  signals: {
    scopes: { token_address: 'mint' },
    // The authors are subjects.
    filters: ['model_name', 'author'],
    filterOf: signalFilter,
  },
  triggers: { scopes: {} },
  // Its subjects are the authors whose hits the account may see.
  rule_hits: {
    scopes: {},
    filters: ['author', 'rule_id', 'token_address'],
    filterOf: hitFilter,
  },
  chain: { scopes: {} },
};

function tradeFilter({ side, min_value_usd: leastUsd, class: of }: TopicValues): ItemFilter | null {
  const tests: ((trade: Trade) => boolean)[] = [];
  if (side !== undefined) tests.push((trade) => trade.side === side);
  if (leastUsd !== undefined) {
    tests.push(({ valueUsd }) => valueUsd !== null && valueUsd >= leastUsd);
  }
  if (of === 'organic') tests.push(({ isOrganic }) => isOrganic);
  if (of === 'bot') tests.push(({ walletClass }) => walletClass === 'bot');
  if (tests.length === 0) return null;
  return (item) => item.topic === 'trades' && tests.every((isWanted) => isWanted(item.trade));
}

/** No signal of a rule has a model. */
function signalFilter({ model_name: models, token_address: mint }: TopicValues): ItemFilter | null {
  const isOfModel = (signal: StreamedSignal) =>
    models === undefined || (!isOfRule(signal) && models.includes(signal.model));
  if (models === undefined && mint === undefined) return null;
  return (item) =>
    item.topic === 'signals' &&
    isOfModel(item.signal) &&
    (mint === undefined || item.signal.mint === mint);
}

function hitFilter({ rule_id: id, token_address: mint }: TopicValues): ItemFilter | null {
  const rule = id === undefined ? null : parseRuleId(id);
  if (rule === null && mint === undefined) return null;
  return (item) => {
    if (item.topic !== 'rule_hits') return false;
    const { hit } = item;
    if (rule !== null && (hit.name !== rule.name || !hit.hash.startsWith(rule.hash ?? ''))) {
      return false;
    }
    return mint === undefined || hit.mint === mint;
  };
}

export function isTopic(text: unknown): text is StreamTopic {
  return (STREAM_TOPICS as readonly unknown[]).includes(text);
}

/** Names of the parameters of a topic. */
export function parametersOf(topic: StreamTopic): readonly ParameterName[] {
  const { scopes, filters = [] } = TOPICS[topic];
  return [...(Object.keys(scopes) as ParameterName[]), ...filters];
}

/** Checks and parses the parameters of a topic. Throws ApiError 400 or 422. */
export function parseTopicParameters(topic: StreamTopic, raw: object): TopicValues {
  const result = VALIDATORS[topic]({ ...raw });
  if ('error' in result) throw result.error;
  return result.value as TopicValues;
}

const VALIDATORS = Object.fromEntries(
  STREAM_TOPICS.map((topic) => {
    const schemas = parametersOf(topic).map((name): [string, TSchema] => [
      name,
      TOPIC_PARAMETERS[name],
    ]);
    return [topic, compileRequestPart(Type.Object(Object.fromEntries(schemas)), 'query')];
  }),
) as Readonly<Record<StreamTopic, ReturnType<typeof compileRequestPart>>>;

/** What a subscription of an account is about. Throws ApiError 422. */
export function toTopicRequest(
  topic: StreamTopic,
  values: TopicValues,
  accountId: string,
): Omit<TopicRequest, 'since'> {
  const filter = TOPICS[topic].filterOf?.(values) ?? null;
  return { subjects: subjectsFor(topic, values, accountId), filter };
}

const NO_BUILT_IN_HITS = 'The author of hits must be account or operator.';

function subjectsFor(
  topic: StreamTopic,
  values: TopicValues,
  accountId: string,
): TopicRequest['subjects'] {
  if (topic === 'triggers') return [subjectOf('triggers', 'account', accountId)];
  if (topic === 'rule_hits') return hitSubjects(values, accountId);
  const asked = askedAuthors(values.author, accountId);
  const ofRules = asked?.ofRules.map((author) => subjectOf(topic, 'author', author)) ?? [];
  const [first, ...more] = ofRules;
  if (first === undefined) return [scopeOf(topic, values)];
  return asked?.isBuiltIn === true ? [scopeOf(topic, values), ...ofRules] : [first, ...more];
}

function hitSubjects({ author }: TopicValues, accountId: string): TopicRequest['subjects'] {
  const asked = askedAuthors(author ?? RULE_AUTHORS, accountId);
  const subjects = asked?.ofRules.map((one) => subjectOf('rule_hits', 'author', one)) ?? [];
  const [first, ...more] = subjects;
  if (first === undefined || asked?.isBuiltIn === true) throw new ApiError(422, NO_BUILT_IN_HITS);
  return [first, ...more];
}

function scopeOf(topic: StreamTopic, values: TopicValues): Subject {
  const { scopes, isScoped = false } = TOPICS[topic];
  const names = Object.keys(scopes) as ParameterName[];
  const [given, ...more] = names.filter((name) => values[name] !== undefined);
  if (more.length > 0) throw new ApiError(422, `Only one of ${names.join(', ')} may be given.`);
  if (given === undefined) {
    if (!isScoped) return subjectOf(topic);
    throw new ApiError(422, `The topic ${topic} requires ${names.join(' or ')}.`);
  }
  return subjectOf(topic, scopes[given] as SubjectProperty, String(values[given]));
}
