import { describe, expect, test } from 'vitest';
import { cpeIncludes, cpeText, formatCpe, formatCpeUri, parseCpe } from './cpe.ts';

const both = (text: string) => {
  const cpe = parseCpe(text);
  return cpe === null ? null : [formatCpe(cpe), formatCpeUri(cpe)];
};

describe('CPE names', () => {
  test('both bindings name the same attributes', () => {
    const formatted = 'cpe:2.3:a:apache:zeppelin:0.10.1:*:*:*:*:*:*:*';
    expect(both(formatted)).toEqual([formatted, 'cpe:/a:apache:zeppelin:0.10.1']);
    expect(both('cpe:/a:apache:zeppelin:0.10.1')).toEqual([formatted, 'cpe:/a:apache:zeppelin:0.10.1']);
  });

  test('signs are escaped in one binding and encoded in the other', () => {
    const formatted = 'cpe:2.3:a:acme\\!:c\\+\\+_tool:8.0\\(1\\):-:*:*:lite:node.js:x64:*';
    const uri = 'cpe:/a:acme%21:c%2b%2b_tool:8.0%281%29:-:~~lite~node.js~x64~';
    expect(both(formatted)).toEqual([formatted, uri]);
    expect(both(uri)).toEqual([formatted, uri]);
  });

  test('wildcards and a literal hyphen survive both bindings', () => {
    const formatted = 'cpe:2.3:o:acme:os:8.\\*:\\-:*:*:*:*:*:*';
    expect(both(formatted)?.[0]).toBe(formatted);
    expect(parseCpe('cpe:/a:acme:tool:9.%02')?.version).toBe('9.*');
    expect(formatCpeUri(parseCpe('cpe:2.3:a:acme:tool:9.*:*:*:*:*:*:*:*') as never)).toBe(
      'cpe:/a:acme:tool:9.%02',
    );
    expect(formatCpeUri(parseCpe('cpe:2.3:a:acme:\\-:1:*:*:*:*:*:*:*') as never)).toBe('cpe:/a:acme:%2d:1');
  });

  test('a name with a wrong number of parts or an unknown part is refused', () => {
    // Two real records have such a product, with a colon that lacks its backslash.
    expect(parseCpe('cpe:2.3:a:ibm:sterling_connect:direct:6.0.0.0:*:*:*:*:windows:*:*')).toBeNull();
    expect(parseCpe('cpe:2.3:x:acme:tool:1:*:*:*:*:*:*:*')).toBeNull();
    expect(parseCpe('cpe:2.3:a:acme:tool\\')).toBeNull();
    expect(parseCpe('acme tool')).toBeNull();
    expect(parseCpe('cpe:/a:acme:tool%zz')).toBeNull();
  });

  test('any includes all, not applicable only itself, and wildcards what they stand for', () => {
    expect(cpeIncludes('*', '1.0')).toBe(true);
    expect(cpeIncludes('-', '1.0')).toBe(false);
    expect(cpeIncludes('1.0', '*')).toBeNull();
    expect(cpeIncludes('9.*', '9.1.2')).toBe(true);
    expect(cpeIncludes('9.?', '9.12')).toBe(false);
    expect(cpeIncludes('9.??', '9.12')).toBe(true);
    expect(cpeIncludes('*sp1', 'xsp1')).toBe(true);
    expect(cpeIncludes('8.\\*', '8.1')).toBe(false);
    expect(cpeText('c\\+\\+')).toBe('c++');
  });
});
