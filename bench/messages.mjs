#!/usr/bin/env node
/**
 * CPU time for the messages of a transfer: rendering 100,000 A records, framing and signing the result, and parsing it
 * again.
 *
 *   npm run bench:messages
 *   npm run bench:messages -- --records 1000000 --runs 5
 *
 * The first run is that of a new process; the median covers all later runs.
 */
import { parseArgs } from 'node:util';
import { DomainName } from '../dist/src/dns/name.js';
import { SOA } from '../dist/src/dns/rdata/soa.js';
import { requestHeader } from '../dist/src/dns/message/header.js';
import { readMessage, readRequest } from '../dist/src/dns/message/message-reader.js';
import { KeySigner } from '../dist/src/dns/message/tsig/message-signer.js';
import { writeMessage } from '../dist/src/dns/message/message-writer.js';
import { TransferResponse } from '../dist/src/dns/message/transfer-response.js';
import { TransferWriter } from '../dist/src/dns/message/transfer-writer.js';
import { round, summarize } from './statistics.mjs';

const { values } = parseArgs({
  options: { records: { type: 'string', default: '100000' }, runs: { type: 'string', default: '20' } },
});
const APEX = DomainName.parse('example.org.');
const AXFR = 252;
const KEY = { name: DomainName.parse('transfer.example.org.'), algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
const SOA_RDATA = SOA.parse('ns1.example.org. hostmaster.example.org. 1 3600 600 86400 300', null);
const RECORDS = Array.from({ length: Number(values.records) }, (_, at) => ({
  owner: DomainName.parse(`host${at}.example.org.`),
  rdata: Uint8Array.of(10, at >> 16, at >> 8, at),
}));
const header = requestHeader(4711, 0);
const REQUEST = readRequest(writeMessage({ header, questions: [{ name: APEX, type: AXFR, class: 1 }] }));

const writer = new TransferWriter(APEX);
const runs = Array.from({ length: Number(values.runs) + 1 }, measure);
const steps = Object.keys(runs[0].ms).map((step) => {
  const { median, min } = summarize(runs.slice(1).map(({ ms }) => ms[step]));
  return { step, 'first ms': round(runs[0].ms[step]), 'median ms': round(median), 'least ms': round(min) };
});
console.table(steps);
console.log(`${RECORDS.length} A records: ${runs[0].messages} messages, ${runs[0].octets} octets, all of them signed`);

function measure() {
  const ms = {};
  const sections = timed(ms, 'render', render);
  const frames = timed(ms, 'frame and sign', () => signed(sections));
  timed(ms, 'read', () => {
    for (const frame of frames) readMessage(frame.subarray(2));
  });
  return { ms, messages: frames.length, octets: frames.reduce((sum, { length }) => sum + length, 0) };
}

function render() {
  const sections = [];
  const add = (owner, type, rdata) => {
    const section = writer.add(owner, type, 300, rdata);
    if (section !== null) sections.push(section);
  };
  add(APEX, SOA.code, SOA_RDATA);
  for (const { owner, rdata } of RECORDS) add(owner, 1, rdata);
  add(APEX, SOA.code, SOA_RDATA);
  return [...sections, writer.finish()];
}

function signed(sections) {
  const clock = () => Math.floor(Date.now() / 1000);
  const response = new TransferResponse(REQUEST, new KeySigner(KEY, clock, Buffer.alloc(32)));
  return sections.map((section) => response.frame(section));
}

/** Runs the work and notes the processor time of all threads, which other processes disturb less than the clock. */
function timed(ms, step, work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  ms[step] = (user + system) / 1000;
  return result;
}
