//! One function a command: asks the library, then prints the answer as a table or as JSON.

use lightloom::designs::{self, CompareOptions, NewDesign, explore, new_design, unused_ports};
use lightloom::failures::{self, FailureSet, recovery_method, repairs};
use lightloom::growth::{grow, shrink};
use lightloom::light::{self, BudgetOptions};
use lightloom::plan::{self, Planned, check_out, plan, verify_folder};
use lightloom::report::{ReportOptions, write_drawings, write_report};
use lightloom::{
    Error, InputError, Project, Request, design_schema, open_design_or_plan, read_option,
    scenario_schema, schemas,
};

use crate::answer::{Answer, say};
use crate::args::Command;
use crate::design_args::request;
use crate::pages::Pages;
use crate::progress::{Bar, watching};
use crate::{
    as_built, budget_tables, collective, configs, explore_tables, failure_tables, growth_tables,
    gui, light_tables, lint, netbox, pages, plan_tables, simulate, tables, trace_file,
    trace_tables,
};

pub(crate) fn run(command: &Command, quiet: bool) -> Result<Answer, Error> {
    match command {
        Command::New { fabric, hall, optics, out, json } => {
            let mut request = request(fabric, hall);
            request.flags.extend(optics.0.clone());
            let written = {
                let bar = Bar::new(quiet, "Comparing", "sources");
                let show = |done, of| bar.show(done, of);
                new_design(&request, out, watching(&show))?
            };
            say(json.json, &written, |w: &NewDesign| tables::new(w))
        }
        Command::Plan { design, optics, placing, out, json } => {
            // Refused or mended before any work is done.
            check_out(out)?;
            let (project, placed) = placing.open(&design.lit_request(optics), quiet)?;
            let planned = {
                let bar = Bar::new(quiet, "Planning and proving", "sources");
                let show = |done, of| bar.show(done, of);
                plan(&project, out, watching(&show))?
            };
            let planned = Planned { placed, ..planned };
            let answer = say(json.json, &planned, tables::plan)?;
            let good = planned.report.lit() && planned.report.restored();
            Ok(Answer { code: u8::from(!good), ..answer })
        }
        Command::Verify { folder, memory, json } => {
            let plan = memory.of(folder)?;
            let report = {
                let bar = Bar::new(quiet, "Proving", "sources");
                let show = |done, of| bar.show(done, of);
                verify_folder(plan, watching(&show))?
            };
            let answer = say(json.json, &report, tables::verify)?;
            Ok(Answer { code: u8::from(!report.good), ..answer })
        }
        Command::Report { folder, out, design, date, memory, json } => {
            let plan = memory.of(folder)?;
            let bar = Bar::new(quiet, "Proving", "sources");
            let show = |done, of| bar.show(done, of);
            let options = ReportOptions {
                date: date.clone(),
                design: design
                    .as_deref()
                    .map(|design| lightloom::open(&memory.request(design)))
                    .transpose()?,
            };
            let report = write_report(plan, &options, out, watching(&show))?;
            drop(bar);
            let answer = say(json.json, &report, tables::reported)?;
            Ok(Answer { code: u8::from(!report.good), ..answer })
        }
        Command::Draw { folder, out, memory, json } => {
            let plan = memory.of(folder)?;
            let report = {
                let bar = Bar::new(quiet, "Proving", "sources");
                let show = |done, of| bar.show(done, of);
                write_drawings(plan, out, watching(&show))?
            };
            say(json.json, &report, tables::reported)
        }
        Command::Tree { design, source, json } => {
            let project = asked(&design.request(), quiet)?;
            let source = project.tor(source).map_err(|e| e.in_option("source"))?;
            say(json.json, &project.tree(source)?, |tree| tables::tree(&project, tree))
        }
        Command::Fabric { design, json } => {
            let project = asked(&design.request(), quiet)?;
            say(json.json, &project.fabric_report(), |fabric| tables::fabric(&project, fabric))
        }
        Command::Rules { design, tor, json } => {
            let project = asked(&design.request(), quiet)?;
            let tor = project.tor(tor).map_err(|e| e.in_option("tor"))?;
            say(json.json, &project.rules(tor)?, |rules| tables::rules(&project, rules))
        }
        Command::Parallel { design, sources, json } => {
            let report = parallel(&asked(&design.request(), quiet)?, sources.as_deref(), quiet)?;
            say(json.json, &report, tables::parallel)
        }
        Command::Impact { design, failed, json } => {
            let project = asked(&design.request(), quiet)?;
            project.refuse_repaired()?;
            let failed = FailureSet::parse(&project, &failed.failed)?;
            say(json.json, &project.impact(&failed)?, failure_tables::impact)
        }
        Command::Recover { design, failed, method, objective, throughput, apply, json } => {
            // Refused or mended before any work is done.
            apply.as_deref().map_or(Ok(()), check_out)?;
            let method = recovery_method(method.as_deref(), objective.as_deref())?;
            let project = asked(&design.request(), quiet)?;
            project.refuse_repaired()?;
            let failed = FailureSet::parse(&project, &failed.failed)?;
            let report = if *throughput {
                project.recover_with_throughput(&failed, method)?
            } else {
                project.recover(&failed, method)?
            };
            let mut good = report.restored;
            let mut warning = String::new();
            if let Some(out) = apply {
                let bar = Bar::new(quiet, "Planning and proving", "sources");
                let show = |done, of| bar.show(done, of);
                let planned = plan(&project.recovered_by(failed, method), out, watching(&show))?;
                good &= planned.report.lit() && planned.report.restored();
                warning = light_tables::plan_warning(&planned.report)
                    + &plan_tables::warnings(&planned.report);
            }
            let told = |report: &_| failure_tables::recover(report) + &warning;
            let answer = say(json.json, &report, told)?;
            Ok(Answer { code: u8::from(!good), ..answer })
        }
        Command::Repairs { design, out, objective, json } => {
            let method = recovery_method(None, objective.as_deref())?;
            let project = asked(&design.request(), quiet)?;
            project.refuse_repaired()?;
            let report = {
                let bar = Bar::new(quiet, "Repairing", "failures");
                let show = |done, of| bar.show(done, of);
                repairs(&project, out, method, watching(&show))?
            };
            say(json.json, &report, failure_tables::repairs)
        }
        Command::Grow(args) => {
            let old = args.memory.of(&args.folder)?;
            let report = {
                let bar = Bar::new(quiet, "Planning and proving", "sources");
                let show = |done, of| bar.show(done, of);
                let (inventory, out) = (args.inventory.as_deref(), args.out.as_deref());
                grow(old, &args.options(), inventory, out, watching(&show))?
            };
            let answer = say(args.json.json, &report, growth_tables::grow)?;
            Ok(Answer { code: u8::from(!report.lit), ..answer })
        }
        Command::Shrink(args) => {
            let old = args.memory.of(&args.folder)?;
            let report = {
                let bar = Bar::new(quiet, "Planning and proving", "sources");
                let show = |done, of| bar.show(done, of);
                shrink(old, &args.options(), args.out.as_deref(), watching(&show))?
            };
            let answer = say(args.json.json, &report, growth_tables::grow)?;
            Ok(Answer { code: u8::from(!report.lit), ..answer })
        }
        Command::AsBuilt(args) => as_built::run(args, quiet),
        Command::Risk { rates, design, json } => {
            let project = asked(&design.request(), quiet)?;
            let report = {
                let bar = Bar::new(quiet, "Breaking", "groups");
                let show = |done, of| bar.show(done, of);
                failures::risk(&project, rates.as_deref(), watching(&show))?
            };
            say(json.json, &report, failure_tables::risk)
        }
        Command::Budget { design, optics, spec: true, json, .. } => {
            let project = asked(&design.lit_request(optics), quiet)?;
            say(json.json, &project.spec()?, budget_tables::spec)
        }
        Command::Budget { design, optics, case, threads, trace: Some(fibre), json, .. } => {
            let project = asked(&design.lit_request(optics), quiet)?;
            let options =
                BudgetOptions { case: read_option("case", case.as_deref())?, threads: *threads };
            let branches = light::branches_named(&project, fibre)?;
            let report = {
                let bar = Bar::new(quiet, "Drawing", "transmitters");
                let show = |done, of| bar.show(done, of);
                light::trace(&project, &branches, &options, watching(&show))?
            };
            say(json.json, &report, trace_tables::trace)
        }
        Command::Budget { design, optics, case, threads, json, .. } => {
            let project = asked(&design.lit_request(optics), quiet)?;
            let options =
                BudgetOptions { case: read_option("case", case.as_deref())?, threads: *threads };
            let report = {
                let bar = Bar::new(quiet, "Drawing", "transmitters");
                let show = |done, of| bar.show(done, of);
                project.budget(&options, watching(&show))?
            };
            say(json.json, &report, budget_tables::budget)
        }
        Command::Compare { design, optics, core_ports, circuit_switches, circuit_port, json } => {
            let request = design.lit_request(optics);
            if let Some(folder) = request.design.as_deref().filter(|design| design.is_dir()) {
                let message =
                    "is the folder of a plan, which has no settings of costs; give its design file";
                return Err(InputError::new(message).in_file(folder).into());
            }
            let project = lightloom::open(&request)?;
            let options = CompareOptions {
                core_ports: *core_ports,
                circuit_switches: *circuit_switches,
                circuit_port: circuit_port.clone(),
            };
            say(json.json, &designs::compare(&project, &options)?, light_tables::compare)
        }
        Command::Explore(args) => {
            let report = {
                let bar = Bar::new(quiet, "Exploring", "fabrics");
                let show = |done, of| bar.show(done, of);
                explore(&args.request(), &args.options()?, watching(&show))?
            };
            say(args.json.json, &report, explore_tables::explore)
        }
        Command::UnusedPorts { design, optics, racks, json } => {
            let report = unused_ports(&design.lit_request(optics), &racks.options())?;
            say(json.json, &report, explore_tables::unused_ports)
        }
        Command::Configs(args) => configs::run(args),
        Command::Lint(args) => lint::run(args),
        Command::Gui { file } => gui::run(file.as_deref()),
        Command::Netbox(args) => netbox::run(args),
        Command::Simulate(args) => simulate::run(args, quiet),
        Command::Collective(args) => collective::run(args, quiet),
        Command::Trace(args) => trace_file::run(args),
        Command::Info { design, json } => {
            let project = asked(&design.request(), quiet)?;
            let info = {
                let bar = Bar::new(quiet, "Measuring", "sources");
                let show = |done, of| bar.show(done, of);
                project.info(watching(&show))?
            };
            say(json.json, &info, tables::info)
        }
        Command::Schema { name } => schema(name),
        Command::Completions { shell } => Ok(Answer::of(pages::completions(*shell), 0)),
        Command::Man { folder, json } => say(json.json, &pages::man(folder)?, Pages::text),
    }
}

/// Opens a design, or the plan in a folder, to ask it something.
fn asked(request: &Request, quiet: bool) -> Result<Project, Error> {
    let bar = Bar::new(quiet, "Proving", "sources");
    let show = |done, of| bar.show(done, of);
    open_design_or_plan(request, watching(&show))
}

fn schema(name: &str) -> Result<Answer, Error> {
    let schema = match name {
        "design" => Some(design_schema()),
        "scenario" => Some(scenario_schema()),
        command => lightloom::schema(command),
    };
    let Some(schema) = schema else {
        let names: Vec<&str> = schemas().into_keys().collect();
        let names = names.join(", ");
        let message = format!("found {name:?}; expected one of design, scenario, {names}");
        return Err(InputError::new(message).into());
    };
    Ok(Answer::of(format!("{schema:#}\n"), 0))
}

fn parallel(
    project: &Project,
    sources: Option<&[String]>,
    quiet: bool,
) -> Result<plan::ParallelReport, Error> {
    let bar = Bar::new(quiet, "Searching", "steps");
    let show = |done, of| bar.show(done, of);
    Ok(match sources {
        None => plan::most_parallel(project, watching(&show))?,
        Some(names) => {
            // Names of racks may hold commas, at which the arguments were parted.
            let sources = project.tors(&names.join(",")).map_err(|e| e.in_option("sources"))?;
            plan::parallel(project, &sources, watching(&show))?
        }
    })
}
