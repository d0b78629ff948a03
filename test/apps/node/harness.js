'use strict';

// Runs the steps of a scenario and reports each in one line: `NAME = RESULT`, or
// `NAME ! ERROR` where it was not to fail and did.

const steps = [];

// step adds a step; its result is what the function returns or resolves to.
function step(name, run) {
  steps.push({ name, run });
}

// plain is a value in a form that does not depend on the order of its properties.
function plain(value) {
  if (Buffer.isBuffer(value)) {
    return `bytes ${value.toString('hex')}`;
  }
  if (value instanceof Date) {
    return `date ${value.toISOString()}`;
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, plain(value[key])]));
  }
  return value === undefined ? null : value;
}

async function runSteps() {
  let status = 0;
  for (const { name, run } of steps) {
    try {
      console.log(`${name} = ${JSON.stringify(plain(await run()))}`);
    } catch (error) {
      status = 1;
      console.log(`${name} ! ${error.name}: ${String(error.message).replace(/\s+/g, ' ')}`);
      console.error(error.stack, error.sql || '');
    }
  }
  return status;
}

// errorOf is the kind and the server's number of the error that a promise ends with.
async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    const number = error.original ? ` ${error.original.errno}` : '';
    return `${error.name}${number}`;
  }
  return 'no error';
}

module.exports = { step, runSteps, errorOf };
