import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { checkAddress, createCheckedLookup, isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '100.63.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '2606:4700::1111',
    '2a00::1',
    '64:ff9b::808:808',
    '64:ff9b::8.8.8.8',
  ])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.8.9.10',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b::',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::808:808',
    '64:ff9b::1:808:808',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'example.com',
    '',
  ])('refuses %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('checkAddress', () => {
  const open = (address: string) => () => checkAddress('files.internal', address, 'named');

  it.each(['10.0.0.1', '127.0.0.1', '::1', 'fd12::1', '8.8.8.8', 'files.internal'])(
    'accepts %s for a host that was named with its port',
    (address) => expect(open(address)).not.toThrow(),
  );

  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
  ])('refuses %s also there', (address) => {
    expect(open(address)).toThrow('is not downloaded');
  });
});

describe('createCheckedLookup', () => {
  /** Opens a connection to a name with these addresses; returns the error. */
  const open = (addresses: readonly string[], autoSelectFamily: boolean) =>
    new Promise<Error>((resolve) => {
      const found = addresses.map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
      const lookup = createCheckedLookup('public', (_host, _options, callback) =>
        callback(null, found),
      );
      connect({ host: 'files.test', port: 9, autoSelectFamily, lookup }).once('error', resolve);
    });

  it.each([
    [['127.0.0.1'], true],
    [['127.0.0.1'], false],
    [['8.8.8.8', '10.0.0.1'], true],
    [['2606:4700::1', '::ffff:127.0.0.1'], true],
  ])('opens no connection to a name with the addresses %j (%j)', async (addresses, isAuto) => {
    expect(await open(addresses, isAuto)).toMatchObject({ code: 'E_ATTACHMENT_REFUSED' });
  });

  it('passes on the error of the resolution', async () => {
    const missing = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const lookup = createCheckedLookup('public', (_host, _options, callback) =>
      callback(missing, []),
    );
    const failed = new Promise((resolve) => {
      connect({ host: 'files.test', port: 9, lookup }).once('error', resolve);
    });
    expect(await failed).toMatchObject({ code: 'ENOTFOUND' });
  });
});
