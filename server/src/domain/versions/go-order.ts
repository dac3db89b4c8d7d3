import { parseSemver, type Semver } from './semver-order.ts';

/** `go1.21rc2` and `1.21rc2`: how the toolchain writes a release before its three numbers were always there. */
const TOOLCHAIN = /^(?:go)?([0-9]{1,9}(?:\.[0-9]{1,9}){1,2})(?:(rc|beta)([0-9]{1,9}))?$/;

/**
 * Versions of Go modules are SemVer with a `v`; those of the toolchain may leave out numbers and write `rc2` for `-rc.2`.
 * `+incompatible` is build data and does not count.
 */
export function parseGo(text: string): Semver | null {
  const toolchain = TOOLCHAIN.exec(text);
  if (toolchain === null) return parseSemver(text);
  const [, numbers = '', word, count] = toolchain;
  return parseSemver(word === undefined ? numbers : `${numbers}-${word}.${count}`);
}
