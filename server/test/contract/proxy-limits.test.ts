import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postLargestBodies, proxyTests } from '#test/behind-proxy.ts';
import { PROXIES, type RunningProxy } from '#test/proxies.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';

/** nginx is a part of the landing lane; the files of the other proxies are tried by faults/behind-proxies.test.ts. */
proxyTests(PROXIES.nginx);

describe('a service behind nginx', () => {
  let shared: SharedService;
  let proxy: RunningProxy;
  beforeAll(async () => {
    shared = await sharedService('proxy-limits');
    proxy = await PROXIES.nginx.start([shared.service.url]);
  });
  afterAll(async () => {
    await proxy?.stop();
    await shared?.stop();
  });

  test('the largest body of every route reaches it', async () => {
    expect(await postLargestBodies(proxy, { 'X-API-KEY': shared.account.credential })).toEqual([]);
  });
});
