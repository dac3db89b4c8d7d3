import { describe, expect, test } from 'vitest';
import { nameKeyOf, readVictim } from './victim.ts';

describe('the victim of a post', () => {
  test.each([
    ['https://www.naturespath.com', undefined, 'www.naturespath.com', 'naturespath.com'],
    ['kbkbcpa.com/', undefined, 'kbkbcpa.com/', 'kbkbcpa.com'],
    ['Cognity (cognity.gr)', undefined, 'Cognity (cognity.gr)', 'cognity.gr'],
    ['Super Vac', 'www.supervacfoundry.com', 'Super Vac', 'supervacfoundry.com'],
    ['Howell Schools (howell.k12.nj.us)', undefined, 'Howell Schools (howell.k12.nj.us)', 'howell.k12.nj.us'],
    ['T.I.S. Group', undefined, 'T.I.S. Group', null],
  ])('%s is named %j', (title, website, name, domain) => {
    expect(readVictim(title, website)).toMatchObject({ name, domain });
  });

  test('a title that the leak site cut has no domain', () => {
    expect(readVictim('sbctanzania.co....')?.domain).toBeNull();
    expect(readVictim('sbctanzania.co…')?.domain).toBeNull();
  });

  test('a page on a site about others is not the site of the victim', () => {
    expect(readVictim('Artistic Dental', 'https://gofile.io/d/abc')?.domain).toBeNull();
    expect(readVictim('Acme', 'https://www.linkedin.com/company/acme')?.domain).toBeNull();
    expect(readVictim('linkedin.com')?.domain).toBe('linkedin.com');
  });

  test('customers of a platform are told apart', () => {
    expect(readVictim('tier1techs.screenconnect.com')?.domain).toBe('tier1techs.screenconnect.com');
    expect(readVictim('www.shop.myshopify.com')?.domain).toBe('shop.myshopify.com');
  });

  test('a hidden name names no victim', () => {
    for (const title of ['C****** ********', 'S??????????', '███ Bank'])
      expect(readVictim(title), title).toMatchObject({ nameKey: null, domain: null });
  });
});

describe('names are compared', () => {
  test.each([
    ['SPERONI SPA', 'Speroni SpA'],
    ['"FICCI"', 'FICCI'],
    ['Standard Building Supplies Ltd.', 'Standard Building Supplies Ltd'],
    ['Grupo_Trisan', 'Grupo Trisan'],
    ['ICBC (London)', 'ICBC London'],
  ])('%s and %s are one', (a, b) => {
    expect(nameKeyOf(a)).toBe(nameKeyOf(b));
  });

  test.each([
    ['Acme Inc', 'Acme Ltd'],
    ['Müller', 'Muller'],
    ['Smith & Son', 'Smith & Sons'],
    ['C++ Ltd', 'C Ltd'],
    ['watermarkbeachr...', 'watermarkbeachr'],
  ])('%s and %s are two', (a, b) => {
    expect(nameKeyOf(a)).not.toBe(nameKeyOf(b));
  });
});
