import { describe, expect, it } from 'vitest'
import { contractsFolder, type NamedContract } from './build.ts'
import { type CompilerOutput, runCompiler } from './compiler.ts'
import { readFoundryConfig } from './foundry-config.ts'
import { snapshotGroups } from './gas-snapshots.ts'
import { runUnderEdr } from './run-edr.ts'
import { countTests, shallowTests, suiteLines } from './suite-report.ts'
import { suitesOf, testsOf } from './suites.ts'

const SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

interface Vm { function snapshotGasLastCall(string calldata name) external returns (uint256); }

contract Counter {
    uint256 public count;
    function increase() external { ++count; }
}

abstract contract Inherited {
    function test_inherited() public {}
}

contract GoodTest is Inherited {
    Counter private counter = new Counter();

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(counter);
    }

    function testFuzz_any(uint256 number) public pure { assert(number >= 0); }
    function invariant_counts() public view { assert(counter.count() < 1000); }
    function test_gas_increase() public {
        counter.increase();
        Vm(address(uint160(uint256(keccak256("hevm cheat code"))))).snapshotGasLastCall("increase");
    }
}

contract BadTest {
    function test_fails() public pure { require(false, "as it should"); }
    function testFuzz_small(uint8 number) public pure { require(number > 255, "too small"); }
}
`

async function compiled(): Promise<NamedContract[]> {
  const outputs = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object']
  const answer = await runCompiler({
    language: 'Solidity',
    sources: { 'test/Some.t.sol': { content: SOURCE } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': outputs } } },
  })
  const contracts = (JSON.parse(answer) as CompilerOutput).contracts['test/Some.t.sol'] ?? {}
  return Object.entries(contracts).map(([name, contract]) => ({ ...contract, source: 'test/Some.t.sol', name }))
}

describe('Solidity tests under EDR', () => {
  it('run each as often as configured, say why they failed and what they measured', async () => {
    const contracts = await compiled()
    const suites = suitesOf(contracts)
    expect(suites.map(({ name }) => name).sort()).toEqual(['BadTest', 'GoodTest'])
    const config = readFoundryConfig(contractsFolder, 'gas')
    const results = await runUnderEdr(contracts, suites, config, { contractsFolder })
    expect(countTests(results)).toEqual({ passed: 4, failed: 2, skipped: 0 })
    expect(suites.flatMap(testsOf)).toHaveLength(6)

    const good = results.find(({ id }) => id.name === 'GoodTest')
    const bad = results.find(({ id }) => id.name === 'BadTest')
    if (good === undefined || bad === undefined) throw new Error('a suite is missing')
    const kinds = good.testResults.map(({ name, kind }) => [name.replace(/\(.*/, ''), kind.runs, kind.calls])
    expect(kinds.filter(([, runs]) => runs !== undefined).sort()).toEqual([
      ['invariant_counts', 40n, 1280n],
      ['testFuzz_any', 100n, undefined],
    ])
    expect(shallowTests(good, config)).toEqual([])
    expect(shallowTests(good, { ...config, fuzz: { runs: 101 } })).toEqual(['testFuzz_any(uint256): 100 runs, not 101'])
    expect(Number(snapshotGroups(results).get('GoodTest')?.increase)).toBeGreaterThan(40_000)

    const lines = suiteLines(bad, config)
    expect(lines[0]).toContain('FAILED test/Some.t.sol:BadTest: 0 passed, 2 failed, 0 skipped')
    expect(lines.find((line) => line.includes('test_fails'))).toContain('as it should')
    expect(lines.find((line) => line.includes('with'))).toMatch(/with \(\d+\)/)
  })
})
