import { describe, expect, it } from '@jest/globals';
import { AllowedPrimaries } from './primaries.js';

describe('where masters may be', () => {
  it('at public addresses, unless configured otherwise', () => {
    const anywhere = new AllowedPrimaries([]);
    expect(['9.9.9.9', '2620:fe::fe'].map((address) => anywhere.allows(address))).not.toContain(false);
    expect(['10.1.2.3', '2002:7f00:1::', '::1'].map((address) => anywhere.allows(address))).not.toContain(true);
  });

  it('where they are allowed, and nowhere else', () => {
    const somewhere = new AllowedPrimaries(['10.0.0.0/8', '::1']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', '::1'].map((address) => somewhere.allows(address))).not.toContain(false);
    expect(['9.9.9.9', '127.0.0.1', '2001:db8::1'].map((address) => somewhere.allows(address))).not.toContain(true);
  });
});
