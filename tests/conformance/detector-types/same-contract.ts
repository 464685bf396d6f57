/** Compiles only while the published types of the contract are those that the service has. */
import type {
  CaseReading,
  CONTRACT_VERSION,
  Detector,
} from '../../../src/fraud/contract/detector.ts';
import type { Judgement } from '../../../src/model/fraud.ts';
import type { MintCase } from '../../../src/model/mint-case.ts';
import type {
  Address,
  Lamports,
  RawAmount,
  Signature,
  Slot,
  UsdNano,
} from '../../../src/model/units.ts';
import type * as published from '../../../types/detector/index.d.ts';

/** A type with plain values in the place of the units of the service. */
type Plain<T> = T extends Address | Signature
  ? string
  : T extends Slot
    ? number
    : T extends Lamports | RawAmount | UsdNano
      ? bigint
      : T extends ReadonlyMap<infer Key, infer Value>
        ? ReadonlyMap<Plain<Key>, Plain<Value>>
        : T extends (...given: infer Given) => infer Result
          ? (...given: PlainList<Given>) => Plain<Result>
          : T extends readonly unknown[]
            ? PlainList<T>
            : T extends object
              ? { readonly [Name in keyof T]: Plain<T[Name]> }
              : T;
type PlainList<T extends readonly unknown[]> = { readonly [At in keyof T]: Plain<T[At]> };

/** True for two types that have the same fields of the same types, whatever their names. */
type Same<One, Other> =
  (<T>() => T extends Plain<One> ? 1 : 2) extends <T>() => T extends Plain<Other> ? 1 : 2
    ? true
    : false;

/** Modules are given a plain case, without the function that searches payments. */
type PlainCase = Omit<MintCase, 'paymentsFrom'>;
type Unlisted<T> = { readonly [Name in keyof T]: T[Name] };

export const SAME: readonly [
  Same<Unlisted<PlainCase>, Unlisted<published.MintCase>>,
  Same<Omit<CaseReading, 'mintCase'>, Omit<published.CaseReading, 'mintCase'>>,
  Same<Judgement, published.Judgement>,
  Same<Omit<Detector, 'inspect'>, Omit<published.Detector, 'inspect'>>,
  Same<typeof CONTRACT_VERSION, published.Detector['contractVersion']>,
] = [true, true, true, true, true];
