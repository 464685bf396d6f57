import type { DetectorPackage } from '../../detector-modules/package/detector-package.ts';
import type { PriceE18, Slot } from '../../model/units.ts';
import type { LinkedState } from '../../store/checkpoints/state-folders.ts';
import type { PastQuery } from './past-query.ts';

/** Settings of the thread that computes states of earlier slots. */
export interface PastSettings {
  /** As in EngineOptions. */
  readonly fallbackSolUsd: PriceE18 | null;
  /** Limits of each state in memory, as PagePool takes them. */
  readonly memory: { readonly pagesMax: number; readonly objectBytesMax: number };
  /** Packages of the detectors that the states have; none if omitted. */
  readonly detectors?: readonly DetectorPackage[];
}

/** A request to the thread; `state` is a number that the caller chose for a state. */
export type PastRequest =
  /** Opens a state. Answered by its StatePoint. */
  | { readonly kind: 'open'; readonly state: number; readonly linked: LinkedState }
  /** Applies a slot in the log's encoded form. Answered by the StatePoint after it. */
  | { readonly kind: 'apply'; readonly state: number; readonly facts: string }
  /** Answered by AsOf<PastAnswers[…]>. */
  | { readonly kind: 'read'; readonly state: number; readonly query: PastQuery }
  /** Releases a state. Its folder can be removed after the answer. */
  | { readonly kind: 'drop'; readonly state: number };

/** The last slot that a state has applied; null before the first. */
export interface StatePoint {
  readonly slot: Slot | null;
}

export interface ToPast<Request = PastRequest> {
  readonly id: number;
  readonly request: Request;
}

export type FromPast =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: PastFault };

/** Why a request failed. */
export interface PastFault {
  readonly message: string;
  /** Stored bytes of the state differ from what was written. */
  readonly isDamage: boolean;
}
