import { fieldOf, parseJson } from '../fields.ts';
import { readCycloneDx } from './cyclonedx.ts';
import { BYTES_MAX, type Inventory, type InventoryFormat } from './inventory.ts';
import {
  readCargoLock,
  readComposerLock,
  readGemfileLock,
  readPackageLock,
  readRequirements,
} from './lockfiles.ts';
import { readOpenVex } from './openvex.ts';
import { readSpdx2, readSpdx3, readSpdxTagValue } from './spdx.ts';

export type InventoryReading =
  | { readonly isRead: true; readonly format: InventoryFormat; readonly inventory: Inventory }
  | { readonly isRead: false; readonly reason: 'too-large' | 'not-json' | 'unknown-format' | 'wrong-format' };

/** Reads a lock file, an SBOM or a VEX document. The format is detected; if `wanted` is given, it must match. */
export function readInventory(text: string, wanted: InventoryFormat | null = null): InventoryReading {
  // A first check before parsing: a text has at least as many bytes as code units. The caller bounds the bytes.
  if (text.length > BYTES_MAX) return { isRead: false, reason: 'too-large' };
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text;
  const isJson = beginsAsJson(bare);
  const json = isJson ? parseJson(bare) : undefined;
  if (isJson && json === undefined) return { isRead: false, reason: 'not-json' };
  const format = isJson ? formatOfJson(json) : formatOfText(bare, wanted === 'requirements');
  if (format === null) return { isRead: false, reason: 'unknown-format' };
  if (wanted !== null && wanted !== format) return { isRead: false, reason: 'wrong-format' };
  return { isRead: true, format, inventory: isJson ? readJson(format, json) : readText(format, bare) };
}

/** A line like `[[package]]` or `[root]`, with which a Cargo.lock may begin: the head of a table of TOML, and not a list of JSON. */
const TABLE_HEAD = /^\s*\[{1,2}[A-Za-z][\w.-]*\]{1,2}[\t ]*\r?(?:\n|$)/;
const beginsAsJson = (text: string): boolean => /^\s*[{[]/.test(text) && !TABLE_HEAD.test(text);

function formatOfJson(json: unknown): InventoryFormat | null {
  if (fieldOf(json, 'bomFormat') === 'CycloneDX') return 'cyclonedx';
  const contexts = [fieldOf(json, '@context')].flat(1).filter((item) => typeof item === 'string');
  const isSpdx3 = Array.isArray(fieldOf(json, '@graph')) && contexts.some((one) => one.includes('spdx'));
  if (isSpdx3 || typeof fieldOf(json, 'spdxVersion') === 'string') return 'spdx';
  if (contexts.some((one) => one.startsWith('https://openvex.dev/'))) return 'openvex';
  if (typeof fieldOf(json, 'lockfileVersion') === 'number') return 'package-lock';
  const hasHash =
    typeof fieldOf(json, 'content-hash') === 'string' || Array.isArray(fieldOf(json, 'packages-dev'));
  return hasHash && Array.isArray(fieldOf(json, 'packages')) ? 'composer-lock' : null;
}

/** Any word is a line of requirements.txt, so at least one line must have more than a name, unless the caller names the format. */
function formatOfText(text: string, isRequirements: boolean): InventoryFormat | null {
  if (/^SPDXVersion:/m.test(text)) return 'spdx';
  if (/^\[\[package\]\]\s*$/m.test(text)) return 'cargo-lock';
  if (/^(?:GEM|GIT|PATH)\s*\n {2}remote:/m.test(text.replaceAll('\r', ''))) return 'gemfile-lock';
  const lines = text.split('\n', 200).filter((line) => !/^\s*(?:#|$)/.test(line));
  const isRequirement = (line: string) =>
    /^\s*(?:-[a-z-]|[A-Za-z0-9][A-Za-z0-9._-]*\s*(?:\[[^\]]*\]\s*)?(?:[=<>!~]=|[<>;@\\]|===|$))/.test(
      line.trimEnd(),
    );
  const isSpecific = (line: string) => /[=<>!~]=|[<>;@]|^\s*-[a-z-]|\[[^[\]]+\]/.test(line);
  if (lines.length === 0 || !(isRequirements || lines.some(isSpecific))) return null;
  return lines.every((line) => isRequirement(line) || /^\s+--hash/.test(line)) ? 'requirements' : null;
}

function readJson(format: InventoryFormat, json: unknown): Inventory {
  if (format === 'cyclonedx') return readCycloneDx(json);
  if (format === 'openvex') return readOpenVex(json);
  if (format === 'package-lock') return readPackageLock(json);
  if (format === 'composer-lock') return readComposerLock(json);
  return Array.isArray(fieldOf(json, '@graph')) ? readSpdx3(json) : readSpdx2(json);
}

function readText(format: InventoryFormat, text: string): Inventory {
  if (format === 'spdx') return readSpdxTagValue(text);
  if (format === 'cargo-lock') return readCargoLock(text);
  return format === 'gemfile-lock' ? readGemfileLock(text) : readRequirements(text);
}
