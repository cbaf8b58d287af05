import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const LIBRARY = '/usr/lib/softhsm/libsofthsm2.so';
const LABEL = 'zonewright';
const PIN = '1234';

/** Settings for keys in a token of SoftHSM, or `null` where something is missing. */
export function tokenSettings(directory) {
  const missing = missingPart();
  if (missing !== null) {
    console.log(`SKIPPED keys in a token: ${missing} is not installed`);
    return null;
  }
  const tokens = path.join(directory, 'softhsm');
  mkdirSync(tokens);
  const configuration = `${tokens}.conf`;
  writeFileSync(configuration, `directories.tokendir = ${tokens}\nlog.level = ERROR\n`);
  const pins = ['--pin', PIN, '--so-pin', PIN];
  const env = { ...process.env, SOFTHSM2_CONF: configuration };
  const { status, stderr } = spawnSync('softhsm2-util', ['--init-token', '--free', '--label', LABEL, ...pins], { env });
  if (status !== 0) throw new Error(`softhsm2-util: ${stderr}`);
  return {
    SOFTHSM2_CONF: configuration,
    ZONEWRIGHT_SERVICE_DNSSEC__PKCS11_LIBRARY: LIBRARY,
    ZONEWRIGHT_SERVICE_DNSSEC__PKCS11_TOKEN: LABEL,
    ZONEWRIGHT_SERVICE_DNSSEC__PKCS11_PIN: PIN,
  };
}

function missingPart() {
  if (!existsSync(LIBRARY)) return 'softhsm2';
  try {
    createRequire(import.meta.url).resolve('pkcs11js');
    return null;
  } catch {
    return 'pkcs11js';
  }
}
