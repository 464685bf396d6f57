import type { Engine } from '../engine/engine.ts';

/** Creates an engine without any state. */
export type EngineFactory = () => Engine;
