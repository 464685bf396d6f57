import type { presentIndicatorMinute } from '../../api/present/indicator-minute-body.ts';
import type { presentCandle } from '../../api/present/present-candle.ts';
import type { presentClassification } from '../../api/present/present-classification.ts';
import type { presentStreamedPool } from '../../api/present/present-pool-block.ts';
import type { HitRecord } from '../../api/present/present-rule.ts';
import type { presentSignal } from '../../api/present/present-signal.ts';
import type { AppliedSlot } from '../../api/present/present-slot-item.ts';
import type { presentTriggerEvent } from '../../api/present/present-trigger.ts';
import type { StreamedToken } from '../../api/present/token-body.ts';
import type { TradeItem } from '../../api/present/trade-body.ts';
import type { WalletBody } from '../../api/present/wallet-body.ts';
import type { Wire } from '../../api/present/wire-record.ts';
import { wrapHanging } from '../../lib/terminal/wrap-text.ts';
import type { StreamTopic } from '../../model/slot-frame.ts';
import type { Page } from './client-command.ts';
import { NOTHING, shown, shownUsd } from './shown.ts';

/** A message of the stream that carries data. */
export interface StreamMessage {
  readonly topic: StreamTopic;
  readonly seq: number;
  readonly slot: number;
  /** Third-party JSON: of the shape of the topic where the service is of this version. */
  readonly data: unknown;
  /** A fork has taken the data back. */
  readonly isUndo: boolean;
}

const INDENT = 2;

/** One message for people. */
export function watchLines(message: StreamMessage, { columns, style }: Page): string[] {
  const { topic, slot, data, isUndo } = message;
  const text = `${isUndo ? 'taken back: ' : ''}${textOf(topic, new Fields(data))}`;
  const [first = '', ...more] = wrapHanging(`${slot} ${topic}  ${text}`, columns, INDENT);
  return isUndo
    ? [first, ...more].map((line) => style('yellow', line))
    : [first.replace(/^\d+ \S+/, (head) => style('dim', head)), ...more];
}

/** Values by name, of data that may lack them. */
class Fields {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(data: unknown) {
    const isObject = typeof data === 'object' && data !== null;
    this.values = isObject ? (data as Readonly<Record<string, unknown>>) : {};
  }

  in<Data>(name: keyof Data & string): Fields {
    return new Fields(this.values[name]);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.values, name);
  }

  text<Data>(name: keyof Data & string): string {
    const value = this.values[name];
    return typeof value === 'object' ? NOTHING : shown(value as string | number | undefined);
  }

  usd<Data>(name: keyof Data & string): string {
    const text = this.text<Data>(name);
    return text === NOTHING ? text : shownUsd(text);
  }
}

type Trade = Wire<typeof TradeItem>;
type Pool = ReturnType<typeof presentStreamedPool>;
type Token = Wire<typeof StreamedToken>;
type Wallet = Wire<typeof WalletBody>;
type Candle = ReturnType<typeof presentCandle>;
type Minute = ReturnType<typeof presentIndicatorMinute>;
type Finding = ReturnType<typeof presentClassification>;
type Signal = ReturnType<typeof presentSignal>;
type TriggerEvent = ReturnType<typeof presentTriggerEvent>;
type RuleHit = Wire<typeof HitRecord>;
type Applied = Wire<typeof AppliedSlot>;

function textOf(topic: StreamTopic, data: Fields): string {
  switch (topic) {
    case 'trades':
      return (
        `${data.text<Trade>('side')} ${data.text<Trade>('token_amount')} of ` +
        `${data.text<Trade>('token_address')} for ${data.usd<Trade>('value_usd')} ` +
        `by ${data.text<Trade>('wallet_address')}`
      );
    case 'pool':
      return (
        `${data.text<Pool>('pair_address')} at ${data.usd<Pool>('price_usd')}, ` +
        `${data.text<Pool>('sol_amount')} SOL, ${data.text<Pool>('number_of_buys')} buys, ` +
        `${data.text<Pool>('number_of_sells')} sells`
      );
    case 'token':
    case 'new_tokens': {
      const token = data.in<Token>('token');
      return (
        `${token.text<Token['token']>('token_address')} by ` +
        `${token.text<Token['token']>('creator_address')}: ` +
        `${token.text<Token['token']>('symbol')}, ${token.text<Token['token']>('name')}`
      );
    }
    case 'wallet': {
      const label = data.in<Wallet>('automation').text<NonNullable<Wallet['automation']>>('label');
      const count = data.text<Wallet>('position_count');
      return `${data.text<Wallet>('wallet_address')} class ${label}, ${count} positions`;
    }
    case 'candles':
      return (
        `${data.text<Candle>('timestamp')} open ${data.usd<Candle>('open')} ` +
        `high ${data.usd<Candle>('high')} low ${data.usd<Candle>('low')} ` +
        `close ${data.usd<Candle>('close')} volume ${data.usd<Candle>('volume')}`
      );
    case 'indicators':
      return `${data.text<Minute>('pair_address')} of ${data.text<Minute>('token_address')}`;
    case 'findings':
      return (
        `${data.text<Finding>('confidence_level')} ${data.text<Finding>('fraud_type')} ` +
        `${data.text<Finding>('confidence_score')} in ${data.text<Finding>('token_address')} ` +
        `(${data.text<Finding>('status')})`
      );
    case 'signals':
      return (
        `${data.has('rule_id') ? data.text<RuleHit>('rule_id') : data.text<Signal>('model_name')} in ${data.text<Signal>('token_address')} ` +
        `at a market cap of ${data.usd<Signal>('signal_market_cap')}: ${data.text<Signal>('symbol')}`
      );
    case 'triggers':
      return `${data.text<TriggerEvent>('type')} ${data.text<TriggerEvent>('trigger_id')}`;
    case 'rule_hits':
      return (
        `${data.text<RuleHit>('rule_id')} of the ${data.text<RuleHit>('author')} in ` +
        `${data.text<RuleHit>('token_address')} with ${data.text<RuleHit>('confidence')}`
      );
    case 'chain':
      return (
        `${data.text<Applied>('timestamp')} final ${data.text<Applied>('final_slot')} ` +
        `SOL ${data.usd<Applied>('sol_price_usd')}`
      );
  }
}
