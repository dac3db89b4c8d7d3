/** The service under attack, and the callers that an attack may use. */
export type Target = {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** X-API-KEY of a caller beside the attack, whose requests must be answered. */
  readonly bystanderKey: string;
  /** X-API-KEY of a caller of the smallest plan; only attacks by a known caller use it. */
  readonly attackerKey: string;
  /** The attacker as a person with a password on the FREE plan. */
  readonly login?: Person;
  /** 1 is ten times the strength at which the attack was first seen to work. */
  readonly strength: number;
  /** People beside an attack on signing in, with a password and without a second factor. */
  readonly people?: readonly Person[];
};

export type Person = { readonly email: string; readonly password: string };

export type AttackResult = {
  /** True when the attack did no harm, for instance when all requests beside it got the statuses of a calm service. */
  readonly held: boolean;
  /** Counts and times of the attack, printed as a table; the names are its columns. */
  readonly figures: Readonly<Record<string, number>>;
};

/**
 * One way to stop the service for others. It speaks plain HTTP over sockets and imports nothing of the server, so that
 * it works against any installation.
 */
export type Attack = {
  readonly name: string;
  /** What the attack does and whom it would harm, in one sentence. */
  readonly finding: string;
  /** What the target must hold for it: `people` beside the attack, or the `login` of the attacker. */
  readonly needs?: 'people' | 'login';
  readonly run: (target: Target) => Promise<AttackResult>;
};
