import { expect, test } from 'vitest';
import {
  icannSuffixOf,
  isPlatformRoot,
  platformAround,
  platformSuffix,
  tenantPlatform,
} from './public-suffix.ts';
import { TENANT_PLATFORMS } from './tenant-platforms.ts';

test('registrable domains follow the ICANN section only', () => {
  expect(icannSuffixOf('a.b.github.io')).toEqual({ registrable: 'github.io' });
  expect(icannSuffixOf('a.example.co.uk')).toEqual({ registrable: 'example.co.uk' });
  expect(icannSuffixOf('co.uk')).toEqual({ registrable: null });
  expect(icannSuffixOf('foo.internal')).toBeNull();
});

test('platforms that rent out names are known from the private section', () => {
  expect(platformSuffix('a.b.github.io')).toBe('github.io');
  expect(platformSuffix('github.io')).toBe('github.io');
  expect(platformSuffix('foo.blogspot.com')).toBe('blogspot.com');
  expect(platformSuffix('www.example.com')).toBeNull();
  expect(platformSuffix('example.co.uk')).toBeNull();
});

test('a name that is a suffix only by a wildcard rule belongs to a customer and is not the platform', () => {
  expect(isPlatformRoot('github.io')).toBe(true);
  expect(isPlatformRoot('localto.net')).toBe(true);
  expect(isPlatformRoot('jw8ndw9ev.localto.net')).toBe(false);
  expect(platformSuffix('a.jw8ndw9ev.localto.net')).toBe('jw8ndw9ev.localto.net');
  expect(isPlatformRoot('a.github.io')).toBe(false);
  expect(isPlatformRoot('example.com')).toBe(false);
});

test.each([
  ['a.b.github.io', 'github.io'],
  ['github.io', 'github.io'],
  ['localto.net', 'localto.net'],
  ['x.7f3a.localto.net', '7f3a.localto.net'],
  ['weebly.com', 'weebly.com'],
  ['a.weebly.com', 'weebly.com'],
  ['a.b.weebly.com', 'weebly.com'],
  ['vm.region.cloudapp.azure.com', 'cloudapp.azure.com'],
  ['www.azure.com', null],
  ['notweebly.com', null],
  ['example.com', null],
  ['co.uk', null],
])('the platform around %s is %s', (host, platform) => {
  expect(platformAround(host)).toBe(platform);
  expect(tenantPlatform(host)).toBe(host === platform ? null : platform);
});

test.each(['www.weebly.com', 'www.github.io'])('%s is the site of the platform and no tenant', (host) => {
  expect(platformAround(host)).toBe(host.slice(4));
  expect(tenantPlatform(host)).toBeNull();
});

test.each(
  `weeblysite.com webcindario.com created.app iceiy.com zapier.app crazydomains.com edgeone.app edgeone.dev zya.me s-host.net
  ghost.io squarespace.com hstn.me infura-ipfs.io fwh.is hostingersite.com ct.ws liveblog365.com tiiny.site jimdosite.com
  free.nf gt.tc craftum.io xo.je ukit.me wixsite.com carrd.co notion.site tilda.ws webnode.page yolasite.com simdif.com
  systeme.io wuaze.com mooo.com co.com asuscomm.com ispot.cc`.split(/\s+/),
)('%s gives strangers names below it', (name) => {
  expect(isPlatformRoot(name)).toBe(true);
  expect(tenantPlatform(`shop.${name}`)).toBe(name);
});

test('our own table has no name that the public suffix list has', () => {
  for (const name of TENANT_PLATFORMS) expect(platformSuffix(`shop.${name}`), name).toBeNull();
});
