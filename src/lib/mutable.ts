/** An object whose fields may be changed. */
export type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
